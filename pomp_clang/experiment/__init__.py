"""Experiment directory -> what a run measured.

A run leaves a directory with one file of typed records (docs/reference/experiment-format.md),
which is complete even when the program was killed: `records` reads what stands in the
file, `reader` makes of it the `Experiment` that the analysis and the reports work on.
The file is not trusted: every length in it is checked, and whatever is wrong with it
comes out as an `ExperimentError`.
"""
