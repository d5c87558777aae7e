#!/bin/sh
# Build two checkouts of a program with pomp-clang, and run them in turn.
# usage: measure.sh RUNS BASE NEW
# BASE and NEW are folders with the sources.  Experiments are base-1, new-1, base-2, ... in the
# current folder; those that a cache restored are kept.  Put your own build and run at (1) and (2).
set -eu
runs=$1 base=$2 new=$3

build() { # (1) build the sources of folder $1 into folder $2
  mkdir -p "$2"
  pomp-clang -- "${CC:-gcc}" -fopenmp -O2 "$1/heat.c" -o "$2/heat" -lm
}

run() { # (2) run the program in folder $1
  "$1/heat"
}

build "$base" build-base
build "$new" build-new
i=1
while [ "$i" -le "$runs" ]; do
  for side in base new; do
    [ -d "$side-$i" ] || POMP_EXPERIMENT_DIR=$side-$i run "build-$side"
  done
  i=$((i + 1))
done
