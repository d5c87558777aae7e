"""A trace as lines: what each location recorded, event by event."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.experiment.records import Records
from pomp_clang.experiment.sources import below, folder_of
from pomp_clang.progress import Told, nobody, one_of
from pomp_clang.trace.layout import Op, Type, decoded, is_told
from pomp_clang.trace.model import Ints, Stream, Trace
from pomp_clang.trace.mpi.layout import is_mpi
from pomp_clang.trace.mpi.wording import about
from pomp_clang.trace.window import Window, WindowError, said, within
from pomp_clang.trace.wording import name_of, value_name_of

Seconds = Callable[[int, Ints], npt.NDArray[np.float64]]
"""Of moments of a location, in ticks: since the program's start."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Which locations (all, if none is named), how many events of each (None: all), and of which
    time (None: all)."""

    locations: tuple[int, ...] = ()
    events: int | None = None
    window: Window | None = None


_NAMED = 8
"""Locations that are named where another was asked for."""

_PART = 1 << 14
"""Events that are made lines together."""


def lines(trace: Trace, shown: Shown, told: Told = nobody) -> Iterator[str]:
    """Raises ExperimentError where a stream cannot be read, or the time has nothing of the run."""
    header = trace.records.header
    duration = (trace.end - header.start) / header.ticks_per_second
    check(shown, duration, trace.records.locations)

    def seconds(_: int, ticks: Ints) -> npt.NDArray[np.float64]:
        return (ticks - header.start) / header.ticks_per_second

    yield from on_clock(trace, shown, seconds, told)


def check(shown: Shown, duration: float, locations: Collection[int]) -> None:
    """Raises ExperimentError where a run that took so long, with these, has nothing of what is
    shown."""
    for each in shown.locations:
        if each not in locations:
            known = sorted(locations)
            there = ", ".join(map(str, known[:_NAMED])) + ", ..." * (len(known) > _NAMED)
            raise ExperimentError(f"--location {each}: there is no such location here: {there}")
    if shown.window is not None:
        try:
            within(shown.window, duration)
        except WindowError as error:
            raise ExperimentError(str(error)) from error


def on_clock(trace: Trace, shown: Shown, seconds: Seconds, told: Told = nobody) -> Iterator[str]:
    """As `lines`, by a clock that need not be the process's own."""
    folder = folder_of(each.strings[2] for each in trace.records.regions.values())
    if folder:
        yield f"sources: {folder}"
    wording = _Wording(seconds, _places(trace.records, folder), _functions(trace.records))
    several = len(trace.records.locations)
    for number, stream in enumerate(trace.streams):
        if shown.locations and stream.location not in shown.locations:
            continue
        yield _heading(trace, stream)
        told_of_it, is_empty = one_of(told, number, several), True
        for part, rows in _chosen(stream, shown, seconds):
            told_of_it(part)
            is_empty = is_empty and not len(rows)
            yield from _events(stream, rows, wording)
        if shown.window is not None and shown.events != 0 and is_empty:
            yield f"{'':14}  no events {said(shown.window)}"
        yield from _lost(stream, shown, seconds)


def _chosen(stream: Stream, shown: Shown, seconds: Seconds) -> Iterator[tuple[float, Ints]]:
    """Rows of some events at a time, and how far into the stream they are.  Not all times stand
    in their order."""
    count = len(stream.op)
    left = count if shown.events is None else shown.events
    for row in range(0, count, _PART):
        rows = np.arange(row, min(row + _PART, count))
        if shown.window is not None:
            when = seconds(stream.location, stream.time[row : row + _PART])
            rows = rows[(shown.window[0] <= when) & (when <= shown.window[1])]
        yield row / count, rows[:left]
        left -= len(rows)
        if left <= 0:
            return


def _lost(stream: Stream, shown: Shown, seconds: Seconds) -> Iterator[str]:
    if not stream.lost:
        return
    since = float(seconds(stream.location, np.array([stream.lost_since]))[0])
    if shown.window is None or since <= shown.window[1]:
        yield f"{since:14.9f}  {stream.lost} events from here on were not recorded"


def _heading(trace: Trace, stream: Stream) -> str:
    location = trace.records.locations[stream.location]
    count = len(stream.op)
    lost = f", {stream.lost} lost" if stream.lost else ""
    return (
        f"location {stream.location} (level {location.level}, thread {location.thread_num}): "
        f"{count} event{'s' * (count != 1)}{lost}"
    )


@dataclass(frozen=True, slots=True)
class _Wording:
    """What the numbers of a trace mean."""

    seconds: Seconds
    places: dict[int, str]
    functions: list[str]


def _events(stream: Stream, rows: Ints, wording: _Wording) -> Iterator[str]:
    seconds = wording.seconds(stream.location, stream.time[rows])
    begins, ends = (np.searchsorted(stream.value_row, rows + more).tolist() for more in (0, 1))
    columns = (seconds.tolist(), stream.op[rows].tolist(), stream.path[rows].tolist())
    for when, op, path, begin, end in zip(*columns, begins, ends, strict=True):
        values = stream.values[begin:end].tolist() if begin < end else []
        place = wording.places[path] if path else ""
        yield f"{when:14.9f}  {_event(op, place, values, wording.functions)}"


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


def _functions(records: Records) -> list[str]:
    return records.texts.get("mpi_functions", "").split()


def _places(records: Records, folder: str) -> dict[int, str]:
    """Each call path by the place that its region is, named from the folder."""
    places = {}
    for number, path in records.paths.items():
        region = records.regions.get(path.region)
        if region is None:
            places[number] = "?"
            continue
        name, sub_name, file, _, _ = region.strings
        words = " ".join(filter(None, (name, sub_name)))
        places[number] = f"{words} {below(folder, file)}:{region.lines[0]}"
    return places
