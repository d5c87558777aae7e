"""The processes of a job -> their runs, and the severities of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pomp_clang.causes.algebra import merge
from pomp_clang.causes.cube import Cube, compute
from pomp_clang.causes.mpi.inserted import clock_of
from pomp_clang.causes.mpi.peers import together
from pomp_clang.causes.mpi.share import counts_of, share_of, waits_of
from pomp_clang.causes.property import Property
from pomp_clang.causes.run import Progress, Run, gather, silent
from pomp_clang.trace.mpi.columns import Job

_SECOND = 1e9


def runs_of(job: Job, progress: Progress = silent) -> tuple[Run, ...]:
    """In the order of the job's processes.

    Raises ExperimentError where a stream cannot be read.
    """
    waits, counts = waits_of(job), counts_of(job)
    runs = tuple(
        gather(each.trace, progress, share_of(job, number, waits, counts))
        for number, each in enumerate(job.processes)
    )
    return together(job, runs, waits)


def cube_of(
    job: Job, runs: Sequence[Run], kinds: list[type[Property]], progress: Progress = silent
) -> Cube:
    """Of all processes; each is called by its rank."""
    merged = merge(compute(run, kinds, progress) for run in runs)
    ranks = [each.rank for each in job.processes]
    threads = tuple(replace(each, process=ranks[each.process]) for each in merged.threads)
    return replace(merged, threads=threads, duration=_duration(job, runs))


def _duration(job: Job, runs: Sequence[Run]) -> float:
    """From when the first process begins to when the last one ends."""
    moments = [
        clock_of(job, number).at(np.array([run.start, run.end])) for number, run in enumerate(runs)
    ]
    return float(np.max(moments) - np.min(moments)) / _SECOND if moments else 0.0
