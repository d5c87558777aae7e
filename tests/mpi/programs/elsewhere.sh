#!/bin/sh
# elsewhere.sh HOST COMMAND...: in a namespace of its own that has the name of a host.
echo "$1" >/proc/sys/kernel/hostname
shift
exec "$@"
