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

sh tests/debian.sh
part "ruff" ruff check .
part "ruff format" ruff format --check .
part "mypy" python -m mypy
part "clang-format" sh -c 'clang-format --dry-run --Werror $(git ls-files "runtime/*.c" "runtime/*.h" 2>/dev/null || find runtime -name "*.[ch]")'
part "lit" lit -v lit_tests
part "pytest" python -m pytest -q -n auto tests
exit $status
