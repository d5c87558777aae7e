"""The time lines of a job's threads as other tools take them: with MPI's calls, on the job's clock."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pomp_clang.experiment.find import processes
from pomp_clang.experiment.reader import open_until
from pomp_clang.export.lines import Line, Lines
from pomp_clang.mpi.names import NAMES
from pomp_clang.otf2.encode import Events
from pomp_clang.otf2.mpi import Calls, Numbers
from pomp_clang.otf2.processes import processes_of
from pomp_clang.otf2.translate import events_of
from pomp_clang.otf2.windows import Sets
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import NONE, Job, Location, Process
from pomp_clang.trace.mpi.groups import Groups
from pomp_clang.trace.mpi.job import functions_of, groups_of
from pomp_clang.trace.reader import read

MPI_FUNCTIONS = NAMES
"""They are regions behind a process's own."""


@dataclass(frozen=True, slots=True, eq=False)
class JobLine:
    """`location` is a row of `Job.locations`; `top` are the thread's calls of MPI that are in no
    other one: rows among all of its calls."""

    line: Line
    location: int
    clock: Location
    start: int
    top: Ints

    def nanoseconds(self, events: Events) -> list[int]:
        """Of each event, from when the first process begins."""
        found: list[int] = np.maximum(0, self.clock.at(events.time) - self.start).tolist()
        return found


@dataclass(frozen=True, slots=True, eq=False)
class JobProcess:
    """A process of the job with its threads; `lines` is what they have in common."""

    process: Process
    lines: Lines
    threads: tuple[JobLine, ...]

    @property
    def name(self) -> str:
        texts = self.process.trace.records.texts
        program = texts.get("program", "").rpartition("/")[2] or "program"
        return f"rank {self.process.rank}: {program}"


def is_job(directory: str) -> bool:
    """Whether there are several processes, or one that has MPI in its trace."""
    if processes(directory) or processes_of(directory):
        return True
    return "mpi_functions" in read(directory).records.texts


def lines_of_job(job: Job) -> Iterator[JobProcess]:
    """One process at a time; moments are ns of the job's clock since the first of them began."""
    start = min(
        int(each.at(np.array([job.processes[each.process].trace.records.header.start]))[0])
        for each in job.locations
    )
    first = 0
    for number, groups in enumerate(groups_of(job)):
        lines = Lines(job.processes[number].trace)
        threads = tuple(_threads(job, number, lines, groups, first, start))
        first += len(threads)
        yield JobProcess(job.processes[number], lines, threads)


def _threads(
    job: Job, number: int, lines: Lines, groups: Groups, first: int, start: int
) -> Iterator[JobLine]:
    process = job.processes[number]
    functions = functions_of(process.trace.records)
    numbers = Numbers(len(lines.rows), 0, np.full(len(job.communicators) + 1, NONE), Sets(0))
    for rank, stream in enumerate(process.trace.streams):
        end = open_until(process.trace.records, stream.location, process.trace.end)
        calls = Calls(stream, end, groups, functions, numbers)
        events = events_of(
            calls.stream(stream), lines.regions, lines.survey, rank,
            list(calls.before()), list(calls.behind()),
        )  # fmt: skip
        top = np.flatnonzero((calls.visits.outer == NONE) & (calls.function >= 0))
        top = top[np.argsort(calls.visits.began[top], kind="stable")]
        line = Line(rank, lines.name(stream.location), events)
        yield JobLine(line, first + rank, job.locations[first + rank], start, top)
