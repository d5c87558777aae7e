"""Random OpenMP programs that know what they print, and how often each of their constructs
is executed.

A program is a tree of nodes (`model`, `statements`, `constructs`, `spread`, `program`), each
of which knows its text and its effect on the counts.  `grammar` makes a tree from a seed,
`check` builds and runs it with instrumentation and compares.  By hand:

    python -m tests.random_programs --seed 17 --language c++
    python -m tests.random_programs.fuzz --seed 1 --count 10000 --jobs 2 --keep failures
"""
