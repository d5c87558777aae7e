"""Records -> `Experiment`: what was still open is ended, places are merged, ticks are seconds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from operator import add, itemgetter

from pomp_clang.experiment import callpaths
from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.experiment.find import find
from pomp_clang.experiment.layout import (
    COLUMNS,
    MOST_METRICS,
    STATE_ENDED,
    Column,
    FrameFlag,
    FrameKind,
)
from pomp_clang.experiment.model import (
    Costs,
    Counters,
    Experiment,
    Location,
    Measured,
    Mpi,
    Snapshot,
)
from pomp_clang.experiment.mpi import by_callpath, by_region, read_mpi
from pomp_clang.experiment.mpi import close_open as close_open_mpi
from pomp_clang.experiment.places import merge
from pomp_clang.experiment.records import (
    Frame,
    RawLocation,
    RawSnapshot,
    Records,
    Sums,
    load,
)
from pomp_clang.experiment.tasks import in_body, is_task_of_loop, stood_still
from pomp_clang.experiment.threads import successions, waits_for_join

__all__ = ["ExperimentError", "find", "read"]

_Sums = dict[tuple[int, int], list[int]]
_Profile = dict[tuple[str, int], Measured]


def read(directory: str) -> Experiment:
    """The experiment in a directory.

    Raises ExperimentError (one line, with the file's name) when there is none or it
    cannot be read.
    """
    return experiment_of(load(directory), directory)


def experiment_of(
    records: Records, directory: str, tids: dict[int, int] | None = None
) -> Experiment:
    """Return the experiment in a directory from its records, in which what is open is ended.
    `tids` are the threads of locations, where they are known."""
    end = end_of(records)
    close_open(records, end)
    close_open_mpi(records, end)
    for snapshot in records.snapshots:
        close_open(snapshot, snapshot.when)
        close_open_mpi(snapshot, snapshot.when)
    places = merge(
        sorted(records.regions.values(), key=lambda r: r.id),
        {records.paths[path].region for path, _ in records.sums if path in records.paths},
        told="ompt" in records.texts,
    )
    paths = callpaths.merge(records.paths, places.numbers, {path for path, _ in records.sums})
    threads = successions(records) if tids is None else []
    if tids is None:
        tids = {each.id: tid for tid, thread in enumerate(threads) for each in thread}
    header = records.header
    second = header.ticks_per_second
    metrics = tuple(filter(None, records.texts.get("metrics", "").split(",")))[:MOST_METRICS]
    wanted = [records.texts.get(key, "") for key in ("metric_aliases", "wanted_metrics")]
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
        max_threads=1 + max(tids.values(), default=0),
        regions=places.regions,
        locations=_locations(threads, records, header.lost),
        profile=flat,
        callpaths=paths.paths,
        callpath_profile=by_path,
        folded_callpaths=bool(header.folded),
        snapshots=tuple(
            _snapshot(records, each, places.numbers, paths, threads, len(metrics))
            for each in records.snapshots
        ),
        dropped_snapshots=header.dropped_snapshots,
        counters=Counters(metrics, ",".join(filter(None, wanted)), counted) if metrics else None,
        costs=Costs(*(ticks / second for ticks in records.costs)) if records.costs else None,
        mpi=mpi,
    )


def _profiles(
    records: Records,
    sums: Sums,
    numbers: dict[int, str],
    paths: callpaths.CallPaths,
    tids: dict[int, int],
) -> tuple[_Profile, _Profile, Mpi | None]:
    """By region and by call path, and what was done in MPI."""
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
    paths: callpaths.CallPaths,
    threads: list[list[RawLocation]],
    metrics: int,
) -> Snapshot:
    tids = {each.id: tid for tid, thread in enumerate(threads) for each in thread}
    flat, by_path, mpi = _profiles(records, raw, numbers, paths, tids)
    return Snapshot(
        number=raw.number,
        cause=raw.cause,
        time=max(0, raw.when - records.header.start) / records.header.ticks_per_second,
        unsettled=raw.unsettled,
        profile=flat,
        callpath_profile=by_path,
        counted=_counted(raw, metrics, paths.numbers, tids),
        mpi=mpi,
        locations=_locations(threads, raw),
    )


def _locations(threads: list[list[RawLocation]], sums: Sums, lost: int = 0) -> tuple[Location, ...]:
    """Return the threads; events that no location could take are the first one's."""
    dropped = [sum(each.dropped for each in thread) for thread in threads] or [0]
    dropped[0] += lost
    ran = [_ran([sums.locations.get(each.id) for each in thread]) for thread in threads] or [None]
    return tuple(Location(tid, *each) for tid, each in enumerate(zip(dropped, ran, strict=True)))


def _ran(thread: list[RawLocation | None]) -> float | None:
    """Return the seconds on a processor of those that were one thread, one after the other."""
    known = [each.ran for each in thread if each is not None and each.last]
    return sum(known) / 1e9 if known and all(known) else None


def end_of(records: Records) -> int:
    """Ticks: the program's end, or after a crash the last that was heard of it."""
    header = records.header
    if header.state == STATE_ENDED:
        return header.end
    return max((each.last for each in records.locations.values()), default=header.start)


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[1-9][0-9]{0,8}", text) else None


def _wall(nanoseconds: int) -> str:
    seconds, rest = divmod(nanoseconds, 1_000_000_000)
    try:
        start = datetime.fromtimestamp(seconds, UTC) + timedelta(microseconds=rest // 1000)
    except (OverflowError, ValueError, OSError):
        return ""
    return start.isoformat(timespec="milliseconds")


def close_open(records: Sums, end: int) -> None:
    """Accounts for what was open when the program ended, up to then."""
    for location, frames in records.stacks.items():
        until = open_until(records, location, end)
        for frame, still in stood_still(frames, until):
            if frame.region and not frame.flags & FrameFlag.MUTED:
                _close_frame(_sums(records.sums, frame.path, location), frame, until, still)
    _close_arrived(records, end)
    for location, locks in records.held.items():
        for path, since in locks:
            sums = _sums(records.sums, path, location)
            if path:
                sums[Column.BODY_T] += max(0, end - since)
                sums[Column.EXEC_T] += max(0, end - since)


def _close_arrived(records: Sums, end: int) -> None:
    """Account for the locations that wait at a region's end for a team that was not joined."""
    for location in records.locations.values():
        if not waits_for_join(location):
            continue
        sums = _sums(records.sums, location.arrived_path, location.id)
        took, tasks = max(0, end - location.arrived_since), location.arrived_tasks
        frames = records.stacks.get(location.id)
        if frames and frames[0].kind == FrameKind.TASK:
            tasks += max(0, end - frames[0].since)
        sums[Column.EXEC_T] += took
        sums[Column.TASK_T] += tasks
        sums[Column.EXIT_BAR_T] += max(0, took - tasks)


def open_until(records: Sums, location: int, end: int) -> int:
    """When what a location has open ends, at the latest `end`: a worker's that was canceled, or
    jumped, has ended when its team was joined, and a task that did not say so with its newest event."""
    frames, here = records.stacks.get(location), records.locations.get(location)
    if not frames or here is None:
        return end
    if frames[0].kind == FrameKind.TASK and frames[0].start <= here.cut_since:
        return min(end, here.last)
    if not here.cut or frames[0].team != here.cut:
        return end
    return min(end, max(here.cut_since, here.last))


def _sums(sums: _Sums, path: int, location: int) -> list[int]:
    """The sums booked for a visit that is still open; a throw-away where there are none."""
    return sums.get((path, location), [0] * COLUMNS)


def _close_frame(sums: list[int], frame: Frame, end: int, still: int) -> None:
    """`still` are the ticks in which its task stood still."""
    if frame.kind not in (FrameKind.FORK, FrameKind.CREATE):
        sums[Column.EXEC_T] += max(0, end - frame.start - still)
        if frame.flags & FrameFlag.INNER:
            sums[Column.INNER_T] += max(0, end - frame.start - still)
    if Column.EXEC_T < frame.phase < COLUMNS and frame.kind != FrameKind.FORK:
        sums[frame.phase] += max(0, end - frame.since - still)


def _outermost(records: Records, all_sums: _Sums) -> _Sums:
    """The sums by call path.  Below the root, visits within another of the same region
    are what had no room further down."""
    sums = {key: list(row) for key, row in all_sums.items()}
    for (path, _), row in sums.items():
        in_body(records, path, row)
        if path in records.paths and not records.paths[path].above:
            row[Column.EXEC_T] -= row[Column.INNER_T]
    return sums


def _flat(
    records: Records, all_sums: _Sums, numbers: dict[int, str], tids: dict[int, int]
) -> dict[tuple[str, int], Measured]:
    """The sums of each region: a visit within another of the same region, on the same
    thread, is part of that one's time.  A taskloop's tasks are told from it."""
    sums = {key: list(row) for key, row in all_sums.items()}
    for (path, _), row in sums.items():
        in_body(records, path, row)
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


_measures = itemgetter(
    *map(
        int,
        (
            Column.EXEC_C, Column.EXEC_T, Column.BODY_C, Column.BODY_T, Column.ENTER_T,
            Column.EXIT_T, Column.EXIT_BAR_T, Column.STARTUP_T, Column.SHUTDWN_T, Column.TASK_T,
            Column.CREATE_C, Column.CREATE_T, Column.AGAIN_T,
        ),
    )
)  # fmt: skip
"""In the order of `Measured`."""


def _measured(row: list[int], second: int) -> Measured:
    (
        executed, execution, bodies, body, enter, exit_, exit_barrier, startup, shutdown, task,
        created, creation, again,
    ) = _measures(row)  # fmt: skip
    return Measured(
        executed, execution / second, bodies, body / second, enter / second, exit_ / second,
        exit_barrier / second, startup / second, shutdown / second, task / second, created,
        creation / second, again / second,
    )  # fmt: skip
