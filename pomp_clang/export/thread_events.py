"""Threads' events for other tools: regions that are entered and left, and when."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pomp_clang.export.otf2.region_rows import RegionNumbers, RegionRow, regions_of
from pomp_clang.export.otf2.survey import Survey, survey
from pomp_clang.export.otf2.translate import counted, events_of
from pomp_clang.otf2.events import Events
from pomp_clang.progress import ProgressCallback, no_progress, progress_of_part
from pomp_clang.trace.model import Ints, Trace


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
