"""A trace as lines: what each location recorded, event by event."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pomp_clang.experiment.records import Records
from pomp_clang.trace.layout import Op, Type, decoded, is_told
from pomp_clang.trace.model import Stream, Trace
from pomp_clang.trace.mpi.layout import is_mpi
from pomp_clang.trace.mpi.wording import about
from pomp_clang.trace.wording import name_of, value_name_of


@dataclass(frozen=True, slots=True)
class Shown:
    """Which locations (all, if none is named), and how many events of each (None: all)."""

    locations: tuple[int, ...] = ()
    events: int | None = None


def lines(trace: Trace, shown: Shown) -> Iterator[str]:
    """Raises ExperimentError where a stream cannot be read."""
    places = _places(trace.records)
    functions = trace.records.texts.get("mpi_functions", "").split()
    header = trace.records.header
    for stream in trace.streams:
        if shown.locations and stream.location not in shown.locations:
            continue
        yield _heading(trace, stream)
        count = len(stream.op) if shown.events is None else min(shown.events, len(stream.op))
        for row in range(count):
            seconds = (int(stream.time[row]) - header.start) / header.ticks_per_second
            yield f"{seconds:14.9f}  {_event(stream, row, places, functions)}"
        if stream.lost:
            since = (stream.lost_since - header.start) / header.ticks_per_second
            yield f"{since:14.9f}  {stream.lost} events from here on were not recorded"


def _heading(trace: Trace, stream: Stream) -> str:
    location = trace.records.locations[stream.location]
    count = len(stream.op)
    lost = f", {stream.lost} lost" if stream.lost else ""
    return (
        f"location {stream.location} (level {location.level}, thread {location.thread_num}): "
        f"{count} event{'s' * (count != 1)}{lost}"
    )


def _event(stream: Stream, row: int, places: dict[int, str], functions: list[str]) -> str:
    op = int(stream.op[row])
    words = [f"{name_of(op):20}"]
    if stream.path[row]:
        words.append(places[int(stream.path[row])])
    first, end = np.searchsorted(stream.value_row, (row, row + 1))
    values = stream.values[first:end].tolist()
    if is_mpi(op):
        words.insert(1, about(op, values, functions))
    elif values and is_told(op):
        words.append(f"{decoded(Type(op - Op.TELLS), values)}")
    elif values:
        words.append(f"{value_name_of(op)} {values[0]:#x}")
    if op == Op.LEAVE and not stream.path[row]:
        words.append("(not measured)")
    return " ".join(words).rstrip()


def _places(records: Records) -> dict[int, str]:
    """Each call path by the place that its region is."""
    places = {}
    for number, path in records.paths.items():
        region = records.regions.get(path.region)
        if region is None:
            places[number] = "?"
            continue
        name, sub_name, file, _, _ = region.strings
        words = " ".join(filter(None, (name, sub_name)))
        places[number] = f"{words} {file}:{region.lines[0]}"
    return places
