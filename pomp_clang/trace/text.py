"""A trace as lines: the events of each location, one by one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.layout import Column
from pomp_clang.experiment.records import Records
from pomp_clang.experiment.source_folder import below, folder_of
from pomp_clang.progress import ProgressCallback, no_progress, progress_of_part
from pomp_clang.trace.devices import device_intervals, device_lines
from pomp_clang.trace.layout import KIND_SHIFT, PHASES, Enter, Kind, Op, Type, decoded, is_value
from pomp_clang.trace.model import Ints, Stream, Trace, Window, WindowError, phrase_of, within
from pomp_clang.trace.mpi.call_sites import sites_in
from pomp_clang.trace.mpi.layout import MPI, MPI_END, is_mpi
from pomp_clang.trace.mpi.phrases import about
from pomp_clang.trace.mpi.phrases import name_of as mpi_name_of

Seconds = Callable[[int, Ints], npt.NDArray[np.float64]]
"""A function of a location and moments in ticks: the seconds since the program's start."""


@dataclass(frozen=True, slots=True)
class EventSelection:
    """The events to list: locations (all, if none is named), the number of events of each (None: all),
    and the time window (None: all)."""

    locations: tuple[int, ...] = ()
    events: int | None = None
    window: Window | None = None


_NAMED = 8
"""The number of locations named in the message about an unknown one."""

_PART = 1 << 14
"""The number of events that are formatted together."""


def listing(
    trace: Trace, selection: EventSelection, progress: ProgressCallback = no_progress
) -> Iterator[str]:
    """Yield a trace's lines, those of many events in one text; `progress` takes the share listed.

    Raises ExperimentError if a stream cannot be read, or the time window has nothing of the run.
    """
    header = trace.records.header
    duration = (trace.end - header.start) / header.ticks_per_second
    check(selection, duration, trace.records.locations)

    def seconds(_: int, ticks: Ints) -> npt.NDArray[np.float64]:
        return (ticks - header.start) / header.ticks_per_second

    yield from on_clock(trace, selection, seconds, progress)


def check(selection: EventSelection, duration: float, locations: Collection[int]) -> None:
    """Check that a run of this duration with these locations has the locations and the time that
    are shown.

    Raises ExperimentError if it does not.
    """
    for location in selection.locations:
        if location not in locations:
            known = sorted(locations)
            listed = ", ".join(map(str, known[:_NAMED])) + ", ..." * (len(known) > _NAMED)
            raise ExperimentError(
                f"--location {location}: there is no such location here: {listed}"
            )
    if selection.window is not None:
        try:
            within(selection.window, duration)
        except WindowError as error:
            raise ExperimentError(str(error)) from error


def on_clock(
    trace: Trace,
    selection: EventSelection,
    seconds: Seconds,
    progress: ProgressCallback = no_progress,
) -> Iterator[str]:
    """Yield texts like `listing`, by a clock that need not be the process's own."""
    folder = folder_of(region.strings[2] for region in trace.records.regions.values())
    if folder:
        yield f"sources: {folder}"
    sites = {value: site.words(folder) for value, site in sites_in(trace).items()}
    places, functions = _places(trace.records, folder), _functions(trace.records)
    wording = _Wording(seconds, places, functions, sites)
    plain = _PlainEvents(wording)
    location_count = len(trace.records.locations)
    for number, stream in enumerate(trace.streams):
        if selection.locations and stream.location not in selection.locations:
            continue
        yield _heading(trace, stream)
        part_progress, is_empty = progress_of_part(progress, number, location_count), True
        for part, rows in _selected_rows(stream, selection, seconds):
            part_progress(part)
            is_empty = is_empty and not len(rows)
            yield from _events(stream, rows, wording, plain)
        if selection.window is not None and selection.events != 0 and is_empty:
            yield f"{'':14}  no events {phrase_of(selection.window)}"
        yield from _loss_notes(stream, selection, seconds)
    if not selection.locations and trace.records.devices:
        any_location = next(iter(trace.records.locations))
        yield from device_lines(
            device_intervals(trace.records),
            lambda ticks: seconds(any_location, ticks),
            wording.places,
            selection.events,
            selection.window,
        )


def _selected_rows(
    stream: Stream, selection: EventSelection, seconds: Seconds
) -> Iterator[tuple[float, Ints]]:
    """Yield rows of events, some at a time, and the share of the stream before them. Times need not
    ascend."""
    count = len(stream.op)
    left = count if selection.events is None else selection.events
    for row in range(0, count, _PART):
        rows = np.arange(row, min(row + _PART, count))
        if selection.window is not None:
            moment = seconds(stream.location, stream.time[row : row + _PART])
            rows = rows[(selection.window[0] <= moment) & (moment <= selection.window[1])]
        yield row / count, rows[:left]
        left -= len(rows)
        if left <= 0:
            return


def _loss_notes(stream: Stream, selection: EventSelection, seconds: Seconds) -> Iterator[str]:
    if not stream.lost:
        return
    since = float(seconds(stream.location, np.array([stream.lost_since]))[0])
    if selection.window is None or since <= selection.window[1]:
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
    """The meaning of a trace's numbers."""

    seconds: Seconds
    places: dict[int, str]
    functions: list[str]
    sites: dict[int, str]


class _PlainEvents(dict[int, str]):
    """The words of events without values, by `op << 32 | path`: each is made once."""

    def __init__(self, wording: _Wording) -> None:
        super().__init__()
        self._wording = wording

    def __missing__(self, key: int) -> str:
        op, path = divmod(key, 1 << 32)
        text = self[key] = _event(op, path, [], self._wording)
        return text


def _events(stream: Stream, rows: Ints, wording: _Wording, plain: _PlainEvents) -> Iterator[str]:
    """Yield the lines of some events in one text."""
    if not len(rows):
        return
    ops, paths = stream.op[rows], stream.path[rows]
    keys = (ops.astype(np.int64) << 32) | paths
    begins, ends = (np.searchsorted(stream.value_row, rows + more) for more in (0, 1))
    has_more = (begins < ends) | ((ops >= MPI) & (ops < MPI_END))
    keys[has_more] = -1
    texts = [plain[key] if key >= 0 else "" for key in keys.tolist()]
    for row in np.flatnonzero(has_more).tolist():
        values = stream.values[begins[row] : ends[row]].tolist()
        texts[row] = _event(int(ops[row]), int(paths[row]), values, wording)
    seconds = wording.seconds(stream.location, stream.time[rows]).tolist()
    columns = chain.from_iterable(zip(seconds, texts, strict=True))
    yield ("%14.9f  %s\n" * len(texts) % tuple(columns))[:-1]


def _event(op: int, path: int, values: list[int], wording: _Wording) -> str:
    place = wording.places[path] if path else ""
    columns = [f"{name_of(op):20}"]
    if place:
        columns.append(place)
    if is_mpi(op):
        columns.insert(1, about(op, values, wording.functions, wording.sites))
    elif values and is_value(op):
        columns.append(f"{decoded(Type(op - Op.TELLS), values)}")
    elif values:
        columns.append(f"{_value_name_of(op)} {values[0]:#x}")
    if op == Op.LEAVE and not place:
        columns.append("(not measured)")
    return " ".join(columns).rstrip()


def _functions(records: Records) -> list[str]:
    return records.texts.get("mpi_functions", "").split()


def _places(records: Records, folder: str) -> dict[int, str]:
    """Map each call path to its region's words and place, relative to the folder."""
    places = {}
    for number, path in records.paths.items():
        region = records.regions.get(path.region)
        if region is None:
            places[number] = "?"
            continue
        name, sub_name, file, _, _ = region.strings
        names = " ".join(filter(None, (name, sub_name)))
        places[number] = f"{names} {below(folder, file)}:{region.lines[0]}"
    return places


_PLAIN = {
    Op.LEAVE: "leave",
    Op.BEGIN: "begin region",
    Op.COUNT_BODY: "count body",
    Op.JOINED: "join",
    Op.DEPARTS: "depart",
    Op.DEPARTED: "departed",
    Op.WAITS: "wait at region's end",
    Op.ASSEMBLED: "team assembled",
    Op.HOLDS: "acquire",
    Op.HOLDS_MORE: "acquire nestable",
    Op.RELEASES: "release",
    Op.HANDS_OVER: "release another's",
    Op.VISITS: "visit",
    Op.RELEASED: "released",
    Op.ENDS: "thread ends",
}

_KINDS = {
    Kind.FORK: "fork",
    Kind.PARALLEL: "begin region",
    Kind.CREATE: "create task",
    Kind.TASK: "begin task",
}

_PHASES = {
    0: "pause",
    Column.BODY_T: "begin body",
    Column.ENTER_T: "wait",
    Column.EXIT_T: "end body",
    Column.EXIT_BAR_T: "barrier",
    Column.STARTUP_T: "startup",
    Column.SHUTDWN_T: "shutdown",
    Column.TASK_T: "run tasks",
    Column.CREATE_T: "create",
}

_VALUES = {
    Op.JOINED: "team",
    Op.DEPARTED: "team",
    Op.ASSEMBLED: "team",
    Op.HOLDS: "lock",
    Op.HOLDS_MORE: "lock",
    Op.RELEASES: "lock",
    Op.HANDS_OVER: "lock",
}


def name_of(op: int) -> str:
    """Return an operation's name, a word or two."""
    if op >= Op.ENTER:
        kind = Kind((op & 0x7F) >> KIND_SHIFT)
        resumes = "resume " if op & Enter.RESUMES else ""
        return resumes + _KINDS.get(kind, "enter")
    if is_value(op):
        return "value"
    if is_mpi(op):
        return mpi_name_of(op)
    if op >= Op.PHASE:
        return _PHASES.get(op % PHASES, "go on")
    return _PLAIN[Op(op)]


def _value_name_of(op: int) -> str:
    """Return what the first value of an operation is."""
    if op < Op.ENTER:
        return _VALUES[Op(op)] if op in _VALUES else "value"
    return "task" if (op & 0x7F) >> KIND_SHIFT == Kind.TASK else "team"
