"""Random compiler commands and builds, run by the plain compiler and by pomp-clang.

A case is a folder of sources with the commands run in it (`case`). It follows from a seed:
`grammar` makes a single command from the tables of `options` and `environments`, `scenarios` makes
several commands that need each other, `builds` makes a Makefile. The sources are those of `sources`,
whose text `spoil` changes, or random programs of `tests.random_programs`.

The plain compiler is the oracle. `sandbox` runs a case twice, in the same folder, and `compare`
holds the results against each other: exit status, output, files and programs. By hand:

    python -m tests.random_commands --seed 17 --show
    python -m tests.random_commands --minutes 60 --keep failures
"""
