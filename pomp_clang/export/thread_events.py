"""Threads' events for other tools: regions that are entered and left, and when; of a job with MPI's calls, on
the job's clock."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pomp_clang.experiment.find import processes
from pomp_clang.experiment.open_regions import open_until
from pomp_clang.export.otf2.mpi_events import ArchiveNumbers, LocationMpiEvents
from pomp_clang.export.otf2.region_rows import RegionNumbers, RegionRow, regions_of
from pomp_clang.export.otf2.survey import Survey, survey
from pomp_clang.export.otf2.translate import counted, events_of
from pomp_clang.export.otf2.window_events import RankSets
from pomp_clang.mpi.variants import NAMES
from pomp_clang.otf2.events import Events
from pomp_clang.progress import ProgressCallback, no_progress, progress_of_part
from pomp_clang.trace.model import Ints, Trace
from pomp_clang.trace.mpi.call_sites import functions_of
from pomp_clang.trace.mpi.columns import NONE, Job, JobLocation, JobProcess
from pomp_clang.trace.mpi.groups import Groups
from pomp_clang.trace.mpi.read_job import groups_of
from pomp_clang.trace.otf2.archive import processes_of
from pomp_clang.trace.reader import read


@dataclass(frozen=True, slots=True)
class ThreadEvents:
    """A location's OTF2 events in pieces, at its place in the report's order."""

    rank: int
    name: str
    events: Iterator[Events]


class ProcessEvents:
    """The events of a trace's locations. A construct's body and its implied barrier are regions."""

    def __init__(self, trace: Trace, progress: ProgressCallback = no_progress) -> None:
        self.trace = trace
        self.progress = progress
        self.regions: RegionNumbers = regions_of(trace.records)
        self.survey: Survey = survey(trace)
        self.ranks = {location: rank for rank, location in enumerate(self.survey.locations)}
        self.start = min(trace.records.header.start, trace.end)

    @property
    def rows(self) -> tuple[RegionRow, ...]:
        return self.regions.rows

    @property
    def count(self) -> int:
        return len(self.survey.locations)

    def name(self, location: int) -> str:
        """Return a thread's name for people. The master is the first thread that no team began."""
        raw = self.trace.records.locations[location]
        level = f" of level {raw.level}" if raw.level > 1 else ""
        if raw.level:
            return f"thread {raw.thread_num}{level}"
        return "initial thread" if self.ranks[location] else "master"

    def __iter__(self) -> Iterator[ThreadEvents]:
        for rank, stream in enumerate(self.trace.streams):
            events = events_of(stream, self.regions, self.survey, rank)
            seen = counted(events, stream, progress_of_part(self.progress, rank, self.count))
            yield ThreadEvents(rank, self.name(stream.location), seen)

    def nanoseconds(self, events: Events) -> list[int]:
        """Return each event's time since the program's start."""
        return self.nanoseconds_at(events.time)

    def nanoseconds_at(self, time: Ints) -> list[int]:
        """Return the time of moments of the trace since the program's start."""
        second = self.trace.records.header.ticks_per_second
        ticks = time - self.start
        seconds, rest = ticks // second, ticks % second
        return (seconds * 1_000_000_000 + rest * 1_000_000_000 // second).tolist()  # type: ignore[no-any-return]


MPI_FUNCTIONS = NAMES
"""They are regions behind a process's own."""


@dataclass(frozen=True, slots=True, eq=False)
class JobThreadEvents:
    """The events of a thread. `location` is a row of `Job.locations`.

    `top` are the thread's calls of MPI that no other call encloses: rows among all of its calls.
    """

    thread: ThreadEvents
    location: int
    clock: JobLocation
    start: int
    top: Ints

    def nanoseconds(self, events: Events) -> list[int]:
        """Return each event's time since the first process began."""
        return self.nanoseconds_at(events.time)

    def nanoseconds_at(self, time: Ints) -> list[int]:
        """Return the time of moments of the trace since the first process began."""
        nanoseconds: list[int] = np.maximum(0, self.clock.at(time) - self.start).tolist()
        return nanoseconds


@dataclass(frozen=True, slots=True, eq=False)
class JobProcessEvents:
    """A process of the job with its threads; `shared` is what these have in common."""

    process: JobProcess
    shared: ProcessEvents
    threads: tuple[JobThreadEvents, ...]

    def nanoseconds_at(self, time: Ints) -> list[int]:
        """Return the time of moments of the trace since the first process began."""
        return self.threads[0].nanoseconds_at(time)

    @property
    def name(self) -> str:
        texts = self.process.trace.records.texts
        program = texts.get("program", "").rpartition("/")[2] or "program"
        return f"rank {self.process.rank}: {program}"


def is_job(directory: str) -> bool:
    """Return True for several processes, or one with MPI in its trace."""
    if processes(directory) or processes_of(directory):
        return True
    return "mpi_functions" in read(directory).records.texts


def events_of_job(job: Job) -> Iterator[JobProcessEvents]:
    """Yield one process at a time; times count in ns of the job's clock since the first process
    began."""
    start = min(
        int(location.at(np.array([job.processes[location.process].trace.records.header.start]))[0])
        for location in job.locations
    )
    first = 0
    for number, groups in enumerate(groups_of(job)):
        shared = ProcessEvents(job.processes[number].trace)
        threads = tuple(_threads(job, number, shared, groups, first, start))
        first += len(threads)
        yield JobProcessEvents(job.processes[number], shared, threads)


def _threads(
    job: Job, number: int, shared: ProcessEvents, groups: Groups, first: int, start: int
) -> Iterator[JobThreadEvents]:
    process = job.processes[number]
    functions = functions_of(process.trace.records)
    numbers = ArchiveNumbers(
        len(shared.rows), 0, np.full(len(job.communicators) + 1, NONE), RankSets(0)
    )
    for rank, stream in enumerate(process.trace.streams):
        end = open_until(process.trace.records, stream.location, process.trace.end)
        calls = LocationMpiEvents(stream, end, groups, functions, numbers)
        events = events_of(
            calls.stream(stream), shared.regions, shared.survey, rank,
            list(calls.before()), list(calls.call_steps()),
        )  # fmt: skip
        top = np.flatnonzero((calls.visits.outer == NONE) & (calls.function >= 0))
        top = top[np.argsort(calls.visits.began[top], kind="stable")]
        thread = ThreadEvents(rank, shared.name(stream.location), events)
        yield JobThreadEvents(thread, first + rank, job.locations[first + rank], start, top)
