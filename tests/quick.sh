#!/bin/sh
# Fast checks: format, types, and the tests of what differs from a commit (default: origin/main or
# main, else HEAD).  usage: sh tests/quick.sh [COMMIT]
set -u
status=0

base=${1:-}
for name in origin/main main; do
  [ -n "$base" ] || base=$(git merge-base HEAD "$name" 2>/dev/null || true)
done
changed=$({ git diff --name-only "${base:-HEAD}"; git ls-files --others --exclude-standard; } | sort -u)

# The tests of a file, one a line: a folder of pomp_clang has one of its name in tests.
tests_of() {
  case $1 in
    tests/*/test_*.py | tests/test_*.py) echo "$1" ;;
    tests/*/*) dirname "$1" ;;
    pomp_clang/*/*) echo "$1" | sed 's,^pomp_clang/\([^/]*\)/.*,tests/\1,' ;;
    runtime/*) echo tests/runtime ;;
    cmake/*) echo tests/builds ;;
    docs/* | *.md | mkdocs.yml) echo tests/test_docs.py ;;
  esac
}

part() {
  echo "== $1"
  shift
  "$@" || status=1
}

sh tests/checks.sh ruff format types || status=1
case $changed in
  *runtime/*) sh tests/checks.sh clang-format || status=1 ;;
esac
case $changed in
  *.js* | *tests/javascript/*) part "javascript" sh tests/javascript.sh ;;
esac
tests=$(for file in $changed; do tests_of "$file"; done | sort -u | while read -r path; do [ -e "$path" ] && echo "$path"; done)
lit=$(echo "$changed" | grep '^lit_tests/.*\.\(c\|cpp\|test\)$' || true)
# shellcheck disable=SC2086
[ -z "$tests" ] || part "pytest" python -m pytest -q -n auto --dist worksteal $tests
# shellcheck disable=SC2086
[ -z "$lit" ] || part "lit" lit -q $lit
exit $status
