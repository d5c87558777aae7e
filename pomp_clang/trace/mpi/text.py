"""A job's trace as lines: its processes one by one, and what there is between them."""

from __future__ import annotations

from collections.abc import Iterator

from pomp_clang.progress import Told, nobody, one_of
from pomp_clang.trace import text
from pomp_clang.trace.mpi.columns import Job
from pomp_clang.trace.mpi.job import read
from pomp_clang.trace.text import Shown


def lines(directory: str, shown: Shown, told: Told = nobody) -> Iterator[str]:
    """Raises ExperimentError where a trace cannot be read."""
    job = read(directory)
    yield from summary(job)
    several = len(job.processes)
    for number, process in enumerate(job.processes):
        yield f"process {process.rank}:"
        yield from text.lines(process.trace, shown, one_of(told, number, several))


def summary(job: Job) -> Iterator[str]:
    """How many messages and operations, how far clocks were apart, and what was done about it."""
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
