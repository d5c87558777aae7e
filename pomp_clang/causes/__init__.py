"""Analysis of traces: which inefficiency costs how much, at which call path, on which thread, and
the run time expected without it.

The folders, in the order of the data; imports run from a later folder to an earlier one only:

    timeline      a location's events -> its timeline; teams, barriers, locks of all locations
    mpi_waits     MPI calls on the timelines of a process, and the waits in them
    run           the run of a process: all timelines, sums, idle threads, instances
    waits         wait graph, wait dependencies, critical path, delay costs
    properties    severity and instances of each property, a class each
    cube          severities as a cube; its file, algebra and instance statistics
    what_if       what-if predictions for a process, or several
    job           the same between the processes of an MPI job
    findings      properties at call paths, ranked, with predicted gains; changes between runs

`report` shows the result: `report/causes_report.py`, `report/text/causes.py`,
`report/json/causes.py`, and the page.
"""

from __future__ import annotations

from pomp_clang.trace import numpy_alone  # noqa: F401

# isort: split
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.run.run import Run

__all__ = ["Property", "Run"]
