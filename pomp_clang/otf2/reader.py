"""An OTF2 archive -> the trace that a run of this program would have left: regions, call paths,
locations, and each location's stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pomp_clang.experiment.layout import STATE_ENDED, VERSION
from pomp_clang.experiment.records import Header, RawLocation, RawRegion, Records
from pomp_clang.otf2.decode import corrected, read_events
from pomp_clang.otf2.definitions import (
    Anchor,
    Definitions,
    read_anchor,
    read_definitions,
    read_local,
)
from pomp_clang.otf2.encode import Events
from pomp_clang.otf2.errors import damaged
from pomp_clang.otf2.layout import Event, Mapping
from pomp_clang.otf2.roles import plan_of, raw_region
from pomp_clang.otf2.understand import CallPaths, Machine, Plans, teams_of
from pomp_clang.progress import Bar
from pomp_clang.trace.model import Ints, Stream, Trace

SUFFIX = ".otf2"
ANCHOR = "traces.otf2"

_OF_REGION = (Event.ENTER, Event.LEAVE)
_OF_COMM = (Event.TEAM_BEGIN, Event.TEAM_END)


def anchor_of(place: str) -> Path | None:
    """The anchor file that is meant: itself, or the one in a folder."""
    path = Path(place)
    if path.suffix == SUFFIX and not path.is_dir():
        return path
    return path / ANCHOR if (path / ANCHOR).is_file() else None


@dataclass(frozen=True, slots=True)
class _Streams:
    streams: tuple[Stream, ...]

    def __iter__(self) -> Iterator[Stream]:
        return iter(self.streams)


def read(anchor: Path) -> Trace:
    """Raises ExperimentError (one line, with the file's name)."""
    head = read_anchor(anchor)
    definitions = read_definitions(anchor.with_suffix(".def"))
    if not definitions.locations:
        raise damaged(anchor, "has no locations")
    bar = Bar()
    try:
        return _read(anchor, head, definitions, bar)
    finally:
        bar.end()


def _read(anchor: Path, head: Anchor, definitions: Definitions, bar: Bar) -> Trace:
    events: dict[int, Events] = {}
    for number in definitions.locations:
        bar(f"reading {anchor}", len(events) / len(definitions.locations))
        events[number] = _events(anchor.with_suffix(""), number, head.event_chunk)
    times = [each.time for each in events.values() if len(each)]
    first = min((int(each.min()) for each in times), default=definitions.offset)
    last = max((int(each.max()) for each in times), default=first)
    start = min(first, definitions.offset) if definitions.offset > 0 else first
    end = max(last, start + definitions.length - 1)
    paths = CallPaths()
    streams = _run(anchor, definitions, events, paths, start, bar)
    records = Records(
        header=_header(definitions, start, end),
        texts=_texts(definitions, head.creator),
        regions=_regions(definitions),
        locations={each.location: _location(each, start) for each in streams},
        paths=paths.paths,
    )
    return Trace(str(anchor), records, end, _Streams(tuple(streams)))


def _events(folder: Path, number: int, chunk: int) -> Events:
    """In the numbers of the archive, and by its clock."""
    local = read_local(folder / f"{number}.def")
    events = read_events(folder / f"{number}.evt", chunk)
    field = events.fields[0]
    for of, types in ((Mapping.REGION, _OF_REGION), (Mapping.COMM, _OF_COMM)):
        if table := local.numbers.get(of):
            rows = np.flatnonzero(np.isin(events.type, types))
            field[rows] = _mapped(field[rows], table)
    return Events(corrected(events.time, local.offsets), events.type, events.fields)


def _mapped(numbers: Ints, table: dict[int, int]) -> Ints:
    """What the table does not have keeps its number."""
    known, place = np.unique(numbers, return_inverse=True)
    mapped: Ints = np.array([table.get(each, each) for each in known.tolist()], np.int64)[place]
    return mapped


def _run(
    anchor: Path,
    definitions: Definitions,
    events: dict[int, Events],
    paths: CallPaths,
    start: int,
    bar: Bar,
) -> list[Stream]:
    """Locations go on in turn: a team's members wait for its master."""
    plans = Plans(
        {
            number: replace(plan, region=plan.region + 1)
            for number in definitions.regions
            for plan in (plan_of(number, definitions.regions),)
        }
    )
    teams = teams_of(list(events.values()))
    folder = anchor.with_suffix("")
    machines = [
        Machine(rank, str(folder / f"{number}.evt"), each, plans, paths, teams, start)
        for rank, (number, each) in enumerate(events.items())
    ]
    try:
        _go_on(anchor, machines, sum(map(len, events.values())), bar)
    finally:
        for machine in machines:
            machine.end()
    return [machine.stream() for machine in machines]


def _go_on(anchor: Path, machines: list[Machine], total: int, bar: Bar) -> None:
    done = 0
    while running := [each for each in machines if not each.is_done]:
        bar(f"understanding {anchor}", done / max(1, total))
        understood = sum(machine.go_on() for machine in running)
        done += understood
        if not understood:
            for machine in running:
                machine.wait_no_more()


def _header(definitions: Definitions, start: int, end: int) -> Header:
    return Header(
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
        "program": next(iter(definitions.processes), ""),
        "host": next(reversed(definitions.nodes), ""),
        "clock": f"that of {creator}",
    }


def _regions(definitions: Definitions) -> dict[int, RawRegion]:
    return {
        number + 1: raw_region(number + 1, region) for number, region in definitions.regions.items()
    }


def _location(stream: Stream, start: int) -> RawLocation:
    time = stream.time
    first, last = (int(time[0]), int(time[-1])) if len(time) else (start, start)
    return RawLocation(stream.location, min(stream.location, 1), stream.location, first, last, 0)
