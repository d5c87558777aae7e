#!/bin/sh
# Lints and type-checks the JavaScript of the pages; installs the two tools, in build/javascript,
# if npm is here.  usage: sh tests/javascript.sh
cd "$(dirname "$0")/.." || exit 1

skip() {
  echo "javascript: SKIPPED, $1"
  exit 0
}

command -v npm >/dev/null || skip "npm is not here"
mkdir -p build/javascript
cp tests/javascript/* tests/javascript/.npmrc build/javascript
cd build/javascript || exit 1
if [ ! -x node_modules/.bin/eslint ] || [ ! -x node_modules/.bin/tsc ]; then
  timeout 120 npm install --silent >/dev/null 2>&1 || skip "npm cannot install eslint and typescript"
fi
status=0
npm run --silent lint || status=1
npm run --silent types || status=1
exit $status
