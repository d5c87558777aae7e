"""Reading of an experiment directory: the measurements of a run.

A run leaves a directory with one file of typed records (docs/reference/experiment-format.md), which
is complete even if the program was killed. `parse` reads the records, `reader` makes the
`Experiment` that analysis and reports use. The file is not trusted: every length in it is checked,
and every error is an `ExperimentError`.
"""

from __future__ import annotations


class ExperimentError(Exception):
    """Why an experiment cannot be read, in one line: the file, its error, and what to do."""
