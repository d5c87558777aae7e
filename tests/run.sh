#!/bin/sh
# All tests: format and types, what is inside (pytest), what is seen from outside (lit).
# Every part runs; the status is that of the worst.
set -u
status=0

part() {
  echo "== $1"
  shift
  "$@" || status=1
}

sh tests/debian.sh || status=1
sh tests/checks.sh || status=1
part "javascript" sh tests/javascript.sh
if ! sh -c 'command -v FileCheck-19 || command -v FileCheck || command -v FileCheck-18' >/dev/null; then
  echo "== lit: SKIPPED, FileCheck is not here"
elif case $PWD in *[[:space:]]*) ;; *) false ;; esac; then
  echo "== lit: SKIPPED, its commands cannot hold the space in $PWD"
else
  part "lit" lit -v lit_tests
fi
# Many tests sleep, so there are half as many processes more than processors. Each gets tests in one
# piece, so that what a file's tests share is made once.
part "pytest" python -m pytest -q -n $((($(nproc) * 3 + 1) / 2)) --dist worksteal tests
exit $status
