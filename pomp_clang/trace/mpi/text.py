"""A job's trace as lines: a summary, then its processes one by one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pomp_clang.progress import ProgressCallback, no_progress, progress_of_part
from pomp_clang.trace import text
from pomp_clang.trace.mpi.columns import Job
from pomp_clang.trace.mpi.read_job import read
from pomp_clang.trace.text import EventSelection


def listing(
    directory: str, selection: EventSelection, progress: ProgressCallback = no_progress
) -> Iterator[str]:
    """Yield the lines of a job's trace, those of many events in one text.

    Seconds count from the first process's beginning.

    Raises ExperimentError if a trace cannot be read, or the time window has nothing of the job.
    """
    job = read(directory)
    begin, end = _lifetime(job)
    text.check(selection, (end - begin) / 1e9, {location.number for location in job.locations})
    yield from summary(job)
    process_count = len(job.processes)
    for number, process in enumerate(job.processes):
        yield f"process {process.rank}:"
        seconds = _on_the_clock(job, number, begin)
        yield from text.on_clock(
            process.trace, selection, seconds, progress_of_part(progress, number, process_count)
        )


def _lifetime(job: Job) -> tuple[int, int]:
    """Return the first process's beginning and the last one's end, in ns of the job."""
    moments = []
    for location in job.locations:
        trace = job.processes[location.process].trace
        moments.append(location.at(np.array([trace.records.header.start, trace.end])))
    begins, ends = np.array(moments).T
    return int(begins.min()), int(ends.max())


def _on_the_clock(job: Job, process: int, begin: int) -> text.Seconds:
    clocks = {
        location.number: location for location in job.locations if location.process == process
    }
    return lambda location, ticks: (clocks[location].at(ticks) - begin) / 1e9


def summary(job: Job) -> Iterator[str]:
    """Yield lines on the numbers of operations, unmatched ones, clocks, and the logical correction."""
    operations = len(set(job.collectives.instance.tolist()))
    yield (
        f"{len(job.processes)} processes, {len(job.locations)} threads: {len(job.calls.enter)} calls of "
        f"MPI, {len(job.messages.send)} messages, {operations} collective operations"
    )
    missing = job.unmatched
    if missing.sends or missing.receives or missing.collectives:
        yield (
            f"without a partner: {missing.sends} sent, {missing.receives} received; "
            f"{missing.collectives} collective operations of which not all was seen"
        )
    for process in job.processes:
        clock = process.clock
        if clock.error:
            yield (
                f"clock of process {process.rank} ({process.host}): {clock.offset:+.0f} ns, "
                f"{clock.drift:+.1f} ns a second, known to {clock.error:.0f} ns"
            )
    if job.correction.backwards or job.correction.moved:
        yield (
            f"{job.correction.backwards} messages arrived before they were sent: {job.correction.moved} "
            f"moments were moved, by {job.correction.furthest} ns at most"
        )
