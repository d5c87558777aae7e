"""The processes of a job -> their runs, and the severities of all of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pomp_clang.causes.algebra import merge
from pomp_clang.causes.cube import Cube, compute
from pomp_clang.causes.mpi.inserted import clock_of
from pomp_clang.causes.mpi.peers import together
from pomp_clang.causes.mpi.share import counts_of, share_of, waits_of
from pomp_clang.causes.property import Property
from pomp_clang.causes.run import Progress, Run, gather, silent
from pomp_clang.causes.tally import Tally
from pomp_clang.causes.tally import together as in_one
from pomp_clang.causes.tallying import tally_of
from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.trace.mpi.columns import Job
from pomp_clang.trace.mpi.workers import ALONE, Workers

_SECOND = 1e9


def as_seen(job: Job) -> Job:
    """What nobody waited for (its request was freed) is over, for all that is known, where it began."""
    messages, parts = job.messages, job.collectives
    sent = np.where(messages.sent >= 0, messages.sent, messages.send)
    completed = np.where(parts.completed >= 0, parts.completed, parts.call)
    return replace(
        job,
        messages=replace(messages, sent=sent),
        collectives=replace(parts, completed=completed),
    )


def runs_of(job: Job, progress: Progress = silent, workers: Workers = ALONE) -> dict[int, Run]:
    """Those of the job's processes that this worker is for, by their row there.

    Raises ExperimentError where a stream cannot be read.
    """
    waits, counts = waits_of(job), counts_of(job)
    runs: dict[int, Run] = {}
    wrong: dict[int, str] = {}
    for number in workers.mine(len(job.processes)):
        share = share_of(job, number, waits, counts)
        wrong[number] = ""
        try:
            runs[number] = gather(job.processes[number].trace, progress, share)
        except ExperimentError as error:
            wrong[number] = str(error)
    for what in workers.every(wrong):
        if what:
            raise ExperimentError(what)
    return together(job, runs, waits, workers)


def cube_of(
    job: Job,
    runs: dict[int, Run],
    kinds: list[type[Property]],
    progress: Progress = silent,
    workers: Workers = ALONE,
) -> Cube:
    """Of all processes, at the first worker; each of several is called by its rank."""
    cubes = {number: compute(run, kinds, progress) for number, run in runs.items()}
    merged = merge(workers.gathered(cubes))
    ranks = [each.rank for each in job.processes] if len(job.processes) > 1 else [0]
    threads = tuple(replace(each, process=ranks[each.process]) for each in merged.threads)
    instances = _instances(cubes, runs, kinds, progress, workers)
    duration = _duration(job, runs, workers)
    return replace(merged, threads=threads, duration=duration, instances=instances)


def _instances(
    cubes: dict[int, Cube],
    runs: dict[int, Run],
    kinds: list[type[Property]],
    progress: Progress,
    workers: Workers,
) -> Tally:
    return in_one(
        workers.gathered(
            {
                number: run.peers.placed(run, tally_of(run, kinds, cubes[number], progress))
                for number, run in runs.items()
                if run.peers is not None
            }
        )
    )


def _duration(job: Job, runs: dict[int, Run], workers: Workers) -> float:
    """From when the first process begins to when the last one ends."""
    moments = workers.every(
        {
            number: clock_of(job, number).at(np.array([run.start, run.end]))
            for number, run in runs.items()
        }
    )
    return float(np.max(moments) - np.min(moments)) / _SECOND if moments else 0.0
