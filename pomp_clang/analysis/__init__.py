"""Experiment -> what its profile says: numbers, and no words.

`profile`, `callpaths` and `overheads` are the sections of ompP's report, `properties` the
inefficiencies that it looks for; `run` has all of one run.  `job` puts the processes of a run
side by side, `comparison` two runs, `scaling` several.  What is computed on the events of a
trace is in `causes`.
"""
