#!/bin/sh
# Compare the experiments of measure.sh: write summary.md and pomp.sarif.
# usage: compare.sh ROOT
# ROOT is the folder of the new sources, from which SARIF names them.  The exit status is 3 if a
# condition holds.
set -u
root=$1
status=0

compare() {
  pomp-clang diff base-* -- new-* --root "$root" "$@" \
    --fail-on 'duration > 10%' \
    --fail-on 'execT > 20% and execT > 0.1s' \
    --fail-on 'imbalance > 10%' \
    --fail-on 'execC > 0'
}

compare --format sarif -o pomp.sarif 2>/dev/null || status=$?
[ "$status" -eq 0 ] || [ "$status" -eq 3 ] || exit "$status"
compare --format markdown -o summary.md
