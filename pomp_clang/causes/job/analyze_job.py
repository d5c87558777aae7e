"""The analysis of a job: one run per process, and one cube of the severities of all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pomp_clang.causes.cube.algebra import merge
from pomp_clang.causes.cube.cube import Cube, compute
from pomp_clang.causes.cube.instance_statistics import InstanceTables
from pomp_clang.causes.cube.instance_statistics import together as in_one
from pomp_clang.causes.cube.instance_statistics_compute import instance_tables_of
from pomp_clang.causes.job.peers import JobPeers, connected_runs
from pomp_clang.causes.mpi_waits.mpi_intervals import clock_of
from pomp_clang.causes.mpi_waits.process_view import counts_of, share_of, waits_of
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.run.gather import gather
from pomp_clang.causes.run.run import Progress, Run, silent
from pomp_clang.experiment import ExperimentError
from pomp_clang.trace.mpi.columns import Job
from pomp_clang.trace.mpi.workers import ALONE, Workers

_SECOND = 1e9


def as_seen(job: Job) -> Job:
    """Return the job with operations that no call completed (their requests were freed) completed
    by the call that began them."""
    messages, parts = job.messages, job.collectives
    sent = np.where(messages.sent >= 0, messages.sent, messages.send)
    completed = np.where(parts.completed >= 0, parts.completed, parts.call)
    return replace(
        job,
        messages=replace(messages, sent=sent),
        collectives=replace(parts, completed=completed),
    )


def runs_of(job: Job, progress: Progress = silent, workers: Workers = ALONE) -> dict[int, Run]:
    """Return the runs of this worker's processes, by their row in `Job.processes`.

    Raise ExperimentError if a stream of any process cannot be read.
    """
    waits, counts = waits_of(job), counts_of(job)
    runs: dict[int, Run] = {}
    wrong: dict[int, str] = {}
    for number in workers.own_numbers(len(job.processes)):
        share = share_of(job, number, waits, counts)
        wrong[number] = ""
        try:
            runs[number] = gather(job.processes[number].trace, progress, share)
        except ExperimentError as error:
            wrong[number] = str(error)
    for message in workers.allgather(wrong):
        if message:
            raise ExperimentError(message)
    return connected_runs(job, runs, waits, workers)


def cube_of(
    job: Job,
    runs: dict[int, Run],
    kinds: list[type[Property]],
    progress: Progress = silent,
    workers: Workers = ALONE,
) -> Cube:
    """Return the cube of all processes at the first worker, and of its own processes at the others.
    Processes are numbered by their ranks if there are several."""
    cubes = {number: compute(run, kinds, progress) for number, run in runs.items()}
    merged = merge(workers.gather(cubes))
    ranks = [process.rank for process in job.processes] if len(job.processes) > 1 else [0]
    threads = tuple(replace(thread, process=ranks[thread.process]) for thread in merged.threads)
    instances = _instances(cubes, runs, kinds, progress, workers)
    duration = _duration(job, runs, workers)
    return replace(merged, threads=threads, duration=duration, instances=instances)


def _instances(
    cubes: dict[int, Cube],
    runs: dict[int, Run],
    kinds: list[type[Property]],
    progress: Progress,
    workers: Workers,
) -> InstanceTables:
    return in_one(
        workers.gather(
            {
                number: run.peers.placed(
                    run, instance_tables_of(run, kinds, cubes[number], progress)
                )
                for number, run in runs.items()
                if isinstance(run.peers, JobPeers)
            }
        )
    )


def _duration(job: Job, runs: dict[int, Run], workers: Workers) -> float:
    """Return the seconds from the begin of the first process to the end of the last one."""
    moments = workers.allgather(
        {
            number: clock_of(job, number).at(np.array([run.start, run.end]))
            for number, run in runs.items()
        }
    )
    return float(np.max(moments) - np.min(moments)) / _SECOND if moments else 0.0
