"""Reading of an `Experiment` from records: open regions are closed, places merged, ticks converted
to seconds.

The barrier at the end of a `single` with copyprivate has no event of its own. The directive takes
no nowait (OpenMP 5.2, 10.1), so the barrier stays within the construct. A thread does nothing else
there than run the block, or wait for it and copy its result. So what a visit takes beside the block
and tasks is the wait.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from operator import add, itemgetter

from pomp_clang.experiment import ExperimentError, merged_places
from pomp_clang.experiment.find import find
from pomp_clang.experiment.layout import (
    MOST_METRICS,
    STATE_ENDED,
    Column,
)
from pomp_clang.experiment.merged_places import merge_places
from pomp_clang.experiment.model import (
    Counters,
    EventCosts,
    Experiment,
    Location,
    Measured,
    MemoryUse,
    MpiProfile,
    Snapshot,
)
from pomp_clang.experiment.mpi_calls import by_callpath, by_region, read_mpi
from pomp_clang.experiment.mpi_calls import close_open as close_open_mpi
from pomp_clang.experiment.open_regions import (
    close_open,
    end_of,
    in_body,
    is_task_of_loop,
    limit_chunk_time,
    successions,
)
from pomp_clang.experiment.parse import load
from pomp_clang.experiment.records import RawLocation, RawRegion, RawSnapshot, Records, Sums
from pomp_clang.experiment.target_and_iterations import (
    read_device_count,
    read_iterations,
    read_target,
)

__all__ = ["ExperimentError", "find", "read"]

_Sums = dict[tuple[int, int], list[int]]
_Profile = dict[tuple[str, int], Measured]


def read(directory: str) -> Experiment:
    """Read the experiment in a directory.

    Raises ExperimentError (one line, with the file's name) if there is none or it cannot be read.
    """
    return experiment_of(load(directory), directory)


def experiment_of(
    records: Records,
    directory: str,
    tids: dict[int, int] | None = None,
    end: int | None = None,
) -> Experiment:
    """Return the experiment of records, in which open regions are closed.

    `tids` are the threads of locations, if they are known. `end` (ticks) is the present moment of a
    running program, None for one that has ended.
    """
    end = end_of(records) if end is None else end
    close_open(records, end)
    close_open_mpi(records, end)
    for snapshot in records.snapshots:
        close_open(snapshot, snapshot.time)
        close_open_mpi(snapshot, snapshot.time)
    book_waits(records, (records, *records.snapshots))
    places = merge_places(
        sorted(records.regions.values(), key=lambda r: r.id),
        {records.paths[path].region for path, _ in records.sums if path in records.paths},
        by_ompt="ompt" in records.texts,
    )
    paths = merged_places.merge_callpaths(
        records.paths, places.numbers, {path for path, _ in records.sums}
    )
    threads = successions(records) if tids is None else []
    if tids is None:
        tids = {location.id: tid for tid, thread in enumerate(threads) for location in thread}
    header = records.header
    second = header.ticks_per_second
    metrics = tuple(filter(None, records.texts.get("metrics", "").split(",")))[:MOST_METRICS]
    metric_texts = [records.texts.get(key, "") for key in ("metric_aliases", "wanted_metrics")]
    counted = _counted(records, len(metrics), paths.numbers, tids)
    flat, by_path, mpi = _profiles(records, records, places.numbers, paths, tids)
    return Experiment(
        directory=directory,
        program=records.texts.get("program", ""),
        command_line=tuple(records.texts.get("command_line", "").removesuffix("\0").split("\0")),
        pid=header.pid,
        host=records.texts.get("host", ""),
        start=_wall(header.start_wall),
        duration=max(0, end - header.start) / second,
        complete=header.state == STATE_ENDED,
        clock=records.texts.get("clock", ""),
        openmp_runtime=records.texts.get("openmp_runtime", ""),
        ompt=records.texts.get("ompt", ""),
        processors=_number(records.texts.get("processors", "")),
        usable_processors=_number(records.texts.get("usable_processors", "")),
        wait_policy=records.texts.get("wait_policy"),
        max_threads=1 + max(tids.values(), default=0),
        regions=places.regions,
        locations=_locations(threads, records, header.lost),
        profile=flat,
        callpaths=paths.paths,
        callpath_profile=by_path,
        folded_callpaths=bool(header.folded),
        snapshots=tuple(
            _snapshot(records, snapshot, places.numbers, paths, threads, len(metrics))
            for snapshot in records.snapshots
        ),
        dropped_snapshots=header.dropped_snapshots,
        counters=Counters(metrics, ",".join(filter(None, metric_texts)), counted)
        if metrics
        else None,
        costs=EventCosts(*(ticks / second for ticks in records.costs)) if records.costs else None,
        mpi=mpi,
        target=read_target(records, records, paths.numbers),
        device_count=read_device_count(records),
        iterations=read_iterations(records, places.numbers, tids),
        memory=_memory(records.texts),
    )


def _memory(texts: Mapping[str, str]) -> MemoryUse | None:
    """Return the use of memory; None if it is not known, and with a trace, which takes memory."""
    counts = [_number(texts.get(key, "")) for key in ("page_faults", "system_time", "peak_pages")]
    faults, system, peak = counts
    if faults is None or system is None or not peak or "trace" in texts:
        return None
    return MemoryUse(faults, system / 1e6, peak)


def _profiles(
    records: Records,
    sums: Sums,
    numbers: dict[int, str],
    paths: merged_places.MergedCallPaths,
    tids: dict[int, int],
) -> tuple[_Profile, _Profile, MpiProfile | None]:
    """Return the profiles by region and by call path, and the MPI calls."""
    flat = _flat(records, sums.sums, numbers, tids)
    second = records.header.ticks_per_second
    by_path = _profile(_outermost(records, sums.sums), paths.numbers, tids, second)
    mpi = read_mpi(records, sums, paths.numbers, tids)
    if mpi:
        by_path = by_callpath(by_path, paths.paths, mpi)
        flat = by_region(flat, by_path, paths.paths, mpi)
    return flat, by_path, mpi


def _snapshot(
    records: Records,
    raw: RawSnapshot,
    numbers: dict[int, str],
    paths: merged_places.MergedCallPaths,
    threads: list[list[RawLocation]],
    metrics: int,
) -> Snapshot:
    tids = {location.id: tid for tid, thread in enumerate(threads) for location in thread}
    flat, by_path, mpi = _profiles(records, raw, numbers, paths, tids)
    return Snapshot(
        number=raw.number,
        cause=raw.cause,
        time=max(0, raw.time - records.header.start) / records.header.ticks_per_second,
        unsettled=raw.unsettled,
        profile=flat,
        callpath_profile=by_path,
        counted=_counted(raw, metrics, paths.numbers, tids),
        mpi=mpi,
        locations=_locations(threads, raw),
        target=read_target(records, raw, paths.numbers),
    )


def _locations(threads: list[list[RawLocation]], sums: Sums, lost: int = 0) -> tuple[Location, ...]:
    """Return the threads; events that no location could take are the first one's."""
    dropped = [sum(location.dropped for location in thread) for thread in threads] or [0]
    dropped[0] += lost
    used = [
        [sums.locations[location.id] for location in thread if location.id in sums.locations]
        for thread in threads
    ] or [[]]
    return tuple(
        Location(
            tid,
            lost_events,
            _seconds(location.cpu_time for location in thread if location.last),
            _seconds(location.queued for location in thread if location.last),
        )
        for tid, (lost_events, thread) in enumerate(zip(dropped, used, strict=True))
    )


def _seconds(nanoseconds: Iterable[int]) -> float | None:
    """Return the sum over a thread's successive locations; None if it is unknown (0) for one."""
    known = list(nanoseconds)
    return sum(known) / 1e9 if known and all(known) else None


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[1-9][0-9]{0,8}", text) else None


def _wall(nanoseconds: int) -> str:
    seconds, rest = divmod(nanoseconds, 1_000_000_000)
    try:
        start = datetime.fromtimestamp(seconds, UTC) + timedelta(microseconds=rest // 1000)
    except (OverflowError, ValueError, OSError):
        return ""
    return start.isoformat(timespec="milliseconds")


def _outermost(records: Records, all_sums: _Sums) -> _Sums:
    """Return the sums by call path.

    Below the root, visits within another of the same region had no room further down; they are not
    counted again.
    """
    sums = {key: list(row) for key, row in all_sums.items()}
    for (path, _), row in sums.items():
        in_body(records, path, row)
        limit_chunk_time(row)
        if path in records.paths and not records.paths[path].above:
            row[Column.EXEC_T] -= row[Column.INNER_T]
    return sums


def _flat(
    records: Records, all_sums: _Sums, numbers: dict[int, str], tids: dict[int, int]
) -> dict[tuple[str, int], Measured]:
    """Return the sums by region. A visit within another of the same region and thread is part of
    its time, and a taskloop's tasks are separate."""
    sums = {key: list(row) for key, row in all_sums.items()}
    for (path, _), row in sums.items():
        in_body(records, path, row)
        limit_chunk_time(row)
        row[Column.EXEC_T] -= row[Column.INNER_T]
        if is_task_of_loop(records, path):
            row[Column.BODY_C], row[Column.EXIT_T] = row[Column.EXEC_C], row[Column.EXEC_T]
            row[Column.EXEC_C] = row[Column.EXEC_T] = 0
    regions = {
        path: numbers[raw.region] for path, raw in records.paths.items() if raw.region in numbers
    }
    return _profile(sums, regions, tids, records.header.ticks_per_second)


def _profile(
    sums: _Sums, numbers: Mapping[int, str], tids: dict[int, int], second: int
) -> dict[tuple[str, int], Measured]:
    merged: dict[tuple[str, int], list[int]] = {}
    for (path, location), values in sums.items():
        if path in numbers and location in tids:
            key = numbers[path], tids[location]
            row = merged.get(key)
            merged[key] = values if row is None else list(map(add, row, values))
    return {key: _measured(row, second) for key, row in merged.items()}


def _counted(
    sums: Sums, metrics: int, numbers: Mapping[int, str], tids: dict[int, int]
) -> dict[tuple[str, int], tuple[int, ...]]:
    merged: dict[tuple[str, int], list[int]] = {}
    for (path, location), values in sums.counters.items():
        if location in tids and metrics:
            row = merged.setdefault((numbers.get(path, ""), tids[location]), [0] * metrics)
            row[: len(values)] = map(sum, zip(row, values, strict=False))
    return {key: tuple(row) for key, row in merged.items()}


_COLUMNS = {column.field: column for column in Column if column.field in Measured.__slots__}
_FIELDS = [name for name in Measured.__slots__ if name in _COLUMNS]
assert list(Measured.__slots__[: len(_FIELDS)]) == _FIELDS, "sums are the first fields"
_columns_of = itemgetter(*(int(_COLUMNS[name]) for name in _FIELDS))
_COUNTS = [(place, int(_COLUMNS[name])) for place, name in enumerate(_FIELDS) if name[-1] == "C"]
"""Places of counts among the fields, and their columns; the other sums are ticks."""


def _measured(row: list[int], second: int) -> Measured:
    """Return a row of sums as fields: ticks become seconds, of which each has `second` ticks."""
    fields = [ticks / second for ticks in _columns_of(row)]
    for place, column in _COUNTS:
        fields[place] = row[column]
    return Measured(*fields)


def book_waits(records: Records, all_sums: Iterable[Sums]) -> None:
    """Set the time of the implied barrier in the rows of such constructs, in ticks."""
    regions = {number for number, region in records.regions.items() if is_copied(region)}
    paths = {number for number, path in records.paths.items() if path.region in regions}
    for sums in all_sums if paths else ():
        for (path, _), row in sums.sums.items():
            if path in paths and not row[Column.EXIT_BAR_T]:
                barrier_time = row[Column.EXEC_T] - row[Column.BODY_T] - row[Column.TASK_T]
                row[Column.EXIT_BAR_T] = max(0, barrier_time)


def is_copied(region: RawRegion) -> bool:
    """Return whether a region is a single that hands on values."""
    kind, _, _, clauses, _ = region.strings
    return kind == "single" and "copyprivate" in clauses
