"""Random OpenMP programs that know how often each of their constructs is executed.

A program is a tree of nodes (`model`, `statements`, `constructs`, `program`), each of
which knows its text and its effect on the counts.  `grammar` makes a tree from a seed,
`check` builds and runs it with and without instrumentation and compares.  By hand:

    python -m tests.random_programs --seed 17 --language c++ --print
    python -m tests.random_programs --seed 1000 --count 500
"""
