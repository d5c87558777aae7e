#!/bin/sh
# What is checked without running a test: format, lint, types.  `make test`, `make quick` and
# pre-commit run the same.  usage: sh tests/checks.sh [CHECK ...]  (default: all)
set -u
status=0

part() {
  echo "== $1"
  shift
  "$@" || status=1
}

runtime_sources() {
  git ls-files 'runtime/*.c' 'runtime/*.h' 'runtime/*.hpp' 2>/dev/null ||
    find runtime -name '*.[ch]' -o -name '*.hpp'
}

check() {
  case $1 in
    ruff) part "ruff" ruff check . ;;
    format) part "ruff format" ruff format --check -q . ;;
    types) part "mypy" python -m mypy ;;
    clang-format)
      # shellcheck disable=SC2046
      part "clang-format" clang-format --dry-run --Werror $(runtime_sources)
      ;;
    *)
      echo "checks.sh: no check is called $1; there are: ruff format types clang-format" >&2
      status=2
      ;;
  esac
}

[ $# -gt 0 ] || set -- ruff format types clang-format
for name in "$@"; do check "$name"; done
exit $status
