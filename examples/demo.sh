#!/bin/sh
# A first look: an ocean-circulation stencil is instrumented, run with 4 threads, reported.
set -eu
cd "$(dirname "$0")"
cc=""
for name in clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14; do
  # A clang counts only if its OpenMP runtime is here as well.
  if command -v $name >/dev/null 2>&1 &&
    echo 'int main(void){return 0;}' | $name -fopenmp -x c - -o /dev/null 2>/dev/null; then
    cc=$name
    break
  fi
done
[ -n "$cc" ] || cc=gcc

say() {
  echo
  echo "\$ $*"
}

say pomp-clang -- "$cc" -fopenmp -O2 stommel.c -lm -o stommel
pomp-clang -- "$cc" -fopenmp -O2 stommel.c -lm -o stommel
say OMP_NUM_THREADS=4 ./stommel
directory=pomp-stommel-demo
rm -rf "$directory"
OMP_NUM_THREADS=4 POMP_EXPERIMENT_DIR=$directory ./stommel
say pomp-clang report "$directory"
pomp-clang report "$directory"
page=$directory/report.html
say pomp-clang report "$directory" --format html -o "$page"
pomp-clang report "$directory" --format html -o "$page"
echo
echo "The page, for a browser: $PWD/$page"
