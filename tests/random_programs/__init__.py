"""Random OpenMP programs that know what they print, and how often each of their constructs
is executed.

A program is a tree of nodes (`model`, `statements`, `loops`, `nest`, `constructs`, `spread`,
`program`), each of which knows its text and its effect on the counts.  `grammar` makes a tree
from a seed; it is the last of classes that each make some kinds of constructs and have those of
the one before: `choices`, `regions`, `worksharing`, `tasking`, `apart`, `transforming`, `silent`,
`metadirectives`, `cancelling`, `functions`.  `check` builds and runs a program with
instrumentation and compares.  By hand:

    python -m tests.random_programs --seed 17 --language c++
    python -m tests.random_programs.fuzz --seed 1 --count 10000 --jobs 2 --keep failures
    python -m tests.random_programs.fuzz --language fortran --seed 1 --count 5000 --jobs 2

`fortran` gives the same nodes Fortran text.
"""
