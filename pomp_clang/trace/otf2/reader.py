"""Reading of an OTF2 archive as the trace that pomp-clang would have recorded: regions, call paths,
locations, and each location's stream."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pomp_clang.experiment.layout import STATE_ENDED, VERSION
from pomp_clang.experiment.records import RawLocation, RawRegion, Records, RunHeader
from pomp_clang.otf2.events import Events
from pomp_clang.otf2.layout import CREATOR, Event, Mapping
from pomp_clang.progress import Bar
from pomp_clang.trace.model import Ints, Stream, Trace
from pomp_clang.trace.otf2.decode_events import corrected, damaged, read_events
from pomp_clang.trace.otf2.definitions import (
    Anchor,
    Definitions,
    read_anchor,
    read_definitions,
    read_local,
)
from pomp_clang.trace.otf2.event_interpreter import (
    CallPathTable,
    EventInterpreter,
    PlanColumns,
    teams_of,
)
from pomp_clang.trace.otf2.numbering import ArchivedProcess, Numbering
from pomp_clang.trace.otf2.region_plans import plan_of, raw_region
from pomp_clang.trace.otf2.trace_words import LocationWords, words_of

_SECOND = 1_000_000_000
_MOST_NS = 1 << 61

ONE_CLOCK = "archive"
"""The clock of archives: the times of locations are corrected already."""

_MESSAGES = (Event.MPI_SEND, Event.MPI_ISEND, Event.MPI_RECV, Event.MPI_IRECV)
_TOGETHER = (Event.MPI_COLLECTIVE_END, Event.COLLECTIVE_COMPLETE)
_ACCESSES = (
    Event.RMA_REQUEST_LOCK, Event.RMA_ACQUIRE_LOCK, Event.RMA_TRY_LOCK, Event.RMA_RELEASE_LOCK,
    Event.RMA_SYNC, Event.RMA_PUT, Event.RMA_GET, Event.RMA_ATOMIC,
)  # fmt: skip
_MAPPED = (
    (Mapping.STRING, (Event.PROGRAM_BEGIN,), 0),
    (Mapping.REGION, (Event.ENTER, Event.LEAVE), 0),
    (Mapping.COMM, (Event.TEAM_BEGIN, Event.TEAM_END), 0),
    (Mapping.COMM, _MESSAGES, 1),
    (Mapping.COMM, _TOGETHER, 1),
    (Mapping.RMA_WIN, _ACCESSES, 0),
    (Mapping.RMA_WIN, (Event.RMA_GROUP_SYNC,), 1),
    (Mapping.RMA_WIN, (Event.RMA_COLLECTIVE_END,), 2),
    (Mapping.GROUP, (Event.RMA_GROUP_SYNC,), 2),
)
"""Fields with numbers that a location may define of its own: mapping type, events, and field."""


@dataclass(frozen=True, slots=True)
class _ReadStreams:
    streams: tuple[Stream, ...]

    def __iter__(self) -> Iterator[Stream]:
        return iter(self.streams)


def read(anchor: Path) -> Trace:
    """Read all locations of an archive as those of one process.

    Raises ExperimentError (one line, with the file's name).
    """
    archive = Archive.of(anchor)
    definitions = archive.definitions
    with _open_bar() as bar:
        events = archive.events(tuple(definitions.locations), bar)
        first, last = span(events.values(), definitions.offset)
        start = min(first, definitions.offset) if definitions.offset > 0 else first
        end = max(last, start + definitions.length - 1)
        return archive.trace(list(events.values()), [*events], (start, end), {}, bar)


def read_process(archive: Archive, part: ArchivedProcess, numbering: Numbering) -> Trace:
    """Read the trace of one process, with its MPI operations.

    Raises ExperimentError.
    """
    with _open_bar() as bar:
        events = archive.events(part.locations, bar)
        folder = archive.folder
        words = words_of(
            list(events.values()), numbering, [folder / f"{number}.evt" for number in events]
        )
        texts = numbering.texts(part.rank) | archive.place_of(part)
        if program := archive.program_of(events.values()):
            texts["program"] = program
        start, end = lifetime(events.values(), archive.definitions)
        archive.check_times(start, end)
        return archive.trace(
            [words_of_location.events for words_of_location in words],
            [*events],
            (start, end),
            texts,
            bar,
            words,
        )


@contextmanager
def _open_bar() -> Iterator[Bar]:
    bar = Bar("reading")
    try:
        yield bar
    finally:
        bar.end()


def span(all_events: Iterable[Events], otherwise: int) -> tuple[int, int]:
    """Return the first and the last moment of the events."""
    times = [columns.time for columns in all_events if len(columns)]
    first = min((int(time.min()) for time in times), default=otherwise)
    return first, max((int(time.max()) for time in times), default=first)


def lifetime(all_events: Collection[Events], definitions: Definitions) -> tuple[int, int]:
    """Return when the process began and ended: by its own events of this, or by its first and last
    event."""
    first, last = span(all_events, definitions.offset)
    begins, ends = (
        [int(time) for columns in all_events for time in columns.time[columns.type == type_]]
        for type_ in (Event.PROGRAM_BEGIN, Event.PROGRAM_END)
    )
    return min([first, *begins]), max([last, *ends])


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive's anchor and its definitions."""

    anchor: Path
    head: Anchor
    definitions: Definitions

    @classmethod
    def of(cls, anchor: Path) -> Archive:
        """Read the anchor and the definitions. Raises ExperimentError."""
        head = read_anchor(anchor)
        definitions = read_definitions(anchor.with_suffix(".def"))
        if not definitions.locations:
            raise damaged(anchor, "has no locations")
        return cls(anchor, head, definitions)

    @property
    def folder(self) -> Path:
        return self.anchor.with_suffix("")

    def events(self, locations: Sequence[int], bar: Bar) -> dict[int, Events]:
        events: dict[int, Events] = {}
        for number in locations:
            bar(f"reading {self.anchor}", len(events) / len(locations))
            events[number] = _events(self.folder, number, self.head.event_chunk)
        return events

    def check_times(self, *moments: int) -> None:
        """Check that each moment, in ns from the archive's beginning, fits 64 bits. Raises
        ExperimentError."""
        limit = _MOST_NS * self.definitions.ticks_per_second // _SECOND
        if max(abs(moment - self.definitions.offset) for moment in moments) >= limit:
            raise damaged(self.anchor, "is damaged (times)")

    def place_of(self, part: ArchivedProcess) -> dict[str, str]:
        """Return the texts of program, host and clock.

        In an archive of pomp-clang, processes of one machine share a clock; other tools do not say.
        """
        process = self.definitions.processes.get(part.group)
        node = self.definitions.nodes.get(process.node, "") if process else ""
        return {
            "program": process.name if process else "",
            "host": node,
            "boot": ONE_CLOCK,
            "own_clock": node if self.head.creator == CREATOR else f"{part.rank} of {node}",
        }

    def program_of(self, all_events: Iterable[Events]) -> str:
        """Return the program's name, as a process records it where it begins."""
        strings = self.definitions.strings
        begins = (
            columns.fields[0][columns.type == Event.PROGRAM_BEGIN].tolist()
            for columns in all_events
        )
        return next((strings.get(number, "") for begin in begins for number in begin), "")

    def trace(
        self,
        events: Sequence[Events],
        numbers: Sequence[int],
        lifetime_: tuple[int, int],
        texts: dict[str, str],
        bar: Bar,
        words: Sequence[LocationWords] = (),
    ) -> Trace:
        start, end = lifetime_
        paths = CallPathTable()
        files = [str(self.folder / f"{number}.evt") for number in numbers]
        streams = _run(self.anchor, self.definitions, events, files, paths, start, bar)
        streams = (
            [
                location_words.with_values(stream)
                for location_words, stream in zip(words, streams, strict=True)
            ]
            if words
            else streams
        )
        records = Records(
            header=_header(self.definitions, start, end),
            texts=_texts(self.definitions, self.head.creator) | texts,
            regions=_regions(self.definitions),
            locations={stream.location: _location(stream, start) for stream in streams},
            paths=paths.paths,
        )
        return Trace(str(self.anchor), records, end, _ReadStreams(tuple(streams)))


def _events(folder: Path, number: int, chunk: int) -> Events:
    """Read a location's events, with the archive's numbers and its corrected clock."""
    local = read_local(folder / f"{number}.def")
    events = read_events(folder / f"{number}.evt", chunk)
    for kind, types, at in _MAPPED:
        if table := local.numbers.get(kind):
            rows = np.flatnonzero(np.isin(events.type, types))
            field = events.fields[at]
            field[rows] = _mapped(field[rows], table)
    return Events(corrected(events.time, local.offsets), events.type, events.fields)


def _mapped(numbers: Ints, table: dict[int, int]) -> Ints:
    """Replace the numbers that the table has."""
    known, place = np.unique(numbers, return_inverse=True)
    mapped: Ints = np.array([table.get(number, number) for number in known.tolist()], np.int64)[
        place
    ]
    return mapped


def _run(
    anchor: Path,
    definitions: Definitions,
    events: Sequence[Events],
    files: Sequence[str],
    paths: CallPathTable,
    start: int,
    bar: Bar,
) -> list[Stream]:
    """Interpret all locations in turn, as a team's members wait for its master."""
    plans = PlanColumns(
        {
            number: replace(plan, region=plan.region + 1)
            for number in definitions.regions
            for plan in (plan_of(number, definitions.regions),)
        }
    )
    teams = teams_of(events)
    machines = [
        EventInterpreter(rank, file, columns, plans, paths, teams, start)
        for rank, (file, columns) in enumerate(zip(files, events, strict=True))
    ]
    try:
        _go_on(anchor, machines, sum(map(len, events)), bar)
    finally:
        for machine in machines:
            machine.end()
    return [machine.stream() for machine in machines]


def _go_on(anchor: Path, machines: list[EventInterpreter], total: int, bar: Bar) -> None:
    decoded = 0
    while running := [machine for machine in machines if not machine.is_done]:
        bar(f"understanding {anchor}", decoded / max(1, total))
        understood = sum(machine.go_on() for machine in running)
        decoded += understood
        if not understood:
            for machine in running:
                machine.wait_no_more()


def _header(definitions: Definitions, start: int, end: int) -> RunHeader:
    return RunHeader(
        state=STATE_ENDED,
        records_end=0,
        ticks_per_second=definitions.ticks_per_second,
        start=start,
        end=end,
        start_wall=max(0, definitions.realtime),
        pid=0,
        forked_from=0,
        lost=0,
        folded=0,
        dropped_snapshots=0,
        version=VERSION,
    )


def _texts(definitions: Definitions, creator: str) -> dict[str, str]:
    return {
        "program": _program(
            next((process.name for process in definitions.processes.values()), ""), creator
        ),
        "host": next(reversed(definitions.nodes.values()), ""),
        "clock": f"that of {creator}",
    }


def _program(name: str, creator: str) -> str:
    """Return the program's name; pomp-clang writes the process number behind it."""
    program, _, number = name.rpartition(" ")
    return program if creator == CREATOR and number.isdigit() else name


def _regions(definitions: Definitions) -> dict[int, RawRegion]:
    return {
        number + 1: raw_region(number + 1, region) for number, region in definitions.regions.items()
    }


def _location(stream: Stream, start: int) -> RawLocation:
    time = stream.time
    first, last = (int(time[0]), int(time[-1])) if len(time) else (start, start)
    return RawLocation(stream.location, min(stream.location, 1), stream.location, first, last, 0)
