"""A trace as lines: what each location recorded, event by event."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pomp_clang.experiment.records import Records
from pomp_clang.progress import Told, nobody, one_of
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


_PART = 1 << 14
"""Events that are made lines together."""


def lines(trace: Trace, shown: Shown, told: Told = nobody) -> Iterator[str]:
    """Raises ExperimentError where a stream cannot be read."""
    places = _places(trace.records)
    functions = trace.records.texts.get("mpi_functions", "").split()
    header = trace.records.header
    several = len(trace.records.locations)
    for number, stream in enumerate(trace.streams):
        if shown.locations and stream.location not in shown.locations:
            continue
        yield _heading(trace, stream)
        count = len(stream.op) if shown.events is None else min(shown.events, len(stream.op))
        told_of_it = one_of(told, number, several)
        for row in range(0, count, _PART):
            told_of_it(row / count)
            yield from _events(trace, stream, (row, min(row + _PART, count)), places, functions)
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


def _events(
    trace: Trace,
    stream: Stream,
    rows: tuple[int, int],
    places: dict[int, str],
    functions: list[str],
) -> Iterator[str]:
    header, here = trace.records.header, slice(*rows)
    seconds = (stream.time[here] - header.start) / header.ticks_per_second
    first = np.searchsorted(stream.value_row, np.arange(rows[0], rows[1] + 1)).tolist()
    columns = (seconds, stream.op[here], stream.path[here])
    events = zip(*(each.tolist() for each in columns), itertools.pairwise(first), strict=True)
    for when, op, path, (begin, end) in events:
        values = stream.values[begin:end].tolist() if begin < end else []
        yield f"{when:14.9f}  {_event(op, places[path] if path else '', values, functions)}"


def _event(op: int, place: str, values: list[int], functions: list[str]) -> str:
    words = [f"{name_of(op):20}"]
    if place:
        words.append(place)
    if is_mpi(op):
        words.insert(1, about(op, values, functions))
    elif values and is_told(op):
        words.append(f"{decoded(Type(op - Op.TELLS), values)}")
    elif values:
        words.append(f"{value_name_of(op)} {values[0]:#x}")
    if op == Op.LEAVE and not place:
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
