"""Regions that were open when the program ended, booked up to its end; tasks: those of a taskloop,
and the time that tasks were suspended; and locations as the threads that a report lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pomp_clang.experiment.layout import (
    COLUMNS,
    STATE_ENDED,
    TEAM_MASTER_SHIFT,
    Column,
    FrameFlag,
    FrameKind,
)
from pomp_clang.experiment.records import OpenFrame, RawLocation, Records, Sums


def is_task_of_loop(records: Records, path: int) -> bool:
    """Return True if a taskloop's own tasks run on this call path."""
    frame = records.paths.get(path)
    if frame is None or not frame.task or frame.region not in records.regions:
        return False
    return "taskloop" in records.regions[frame.region].strings[0]


def in_body(records: Records, path: int, row: list[int]) -> None:
    """Add the time that a combined taskloop makes tasks and waits for them to its body time."""
    frame = records.paths.get(path)
    kind = (
        records.regions[frame.region].strings[0]
        if frame and frame.region in records.regions
        else ""
    )
    if kind.startswith("parallel") and "taskloop" in kind:
        row[Column.BODY_T] += row[Column.CREATE_T] + row[Column.ENTER_T]
        row[Column.CREATE_T] = row[Column.ENTER_T] = 0


def limit_chunk_time(row: list[int]) -> None:
    """Limit the time to get chunks, which comes from one call in 31, to the time in the loop."""
    around = row[Column.EXIT_BAR_T] + row[Column.STARTUP_T] + row[Column.SHUTDWN_T]
    row[Column.CHUNK_T] = min(row[Column.CHUNK_T], max(0, row[Column.EXEC_T] - around))


def suspended_times(frames: Sequence[OpenFrame], end: int) -> Iterator[tuple[OpenFrame, int]]:
    """Yield each frame, newest first, with the ticks up to `end` in which it was suspended.

    This is the runtime's rule. A wait in an explicit task suspends the frames around it, up to the
    task's own frame, while other tasks run in the wait. The wait itself is suspended while those
    are.
    """
    elapsed = suspended = 0
    above: OpenFrame | None = None
    for frame in reversed(frames):
        if above is None or above.kind != FrameKind.TASK:
            suspended = elapsed
        else:
            suspends = bool(above.flags & FrameFlag.SUSPENDS)
            elapsed = max(0, end - above.since) if suspends else 0
            if not above.flags & FrameFlag.SWITCHED:
                suspended = elapsed
            elif suspends or frame.kind == FrameKind.WAIT:
                suspended += above.start - above.since
            else:
                suspended = 0
        yield frame, suspended
        elapsed += frame.away
        above = frame


OpenSums = dict[tuple[int, int], list[int]]


def end_of(records: Records) -> int:
    """Return the ticks of the program's end, or after a crash of its last known moment."""
    header = records.header
    if header.state == STATE_ENDED:
        return header.end
    return max((location.last for location in records.locations.values()), default=header.start)


def close_open(records: Sums, end: int) -> None:
    """Book the time of regions and locks that were open when the program ended."""
    for location, frames in records.stacks.items():
        until = open_until(records, location, end)
        for frame, still in suspended_times(frames, until):
            if frame.region and not frame.flags & FrameFlag.MUTED:
                _close_frame(_sums_of(records.sums, frame.path, location), frame, until, still)
    _close_arrived(records, end)
    for location, locks in records.held.items():
        for path, since in locks:
            sums = _sums_of(records.sums, path, location)
            if path:
                sums[Column.BODY_T] += max(0, end - since)
                sums[Column.EXEC_T] += max(0, end - since)


def book_joins(records: Sums) -> None:
    """Book the time from arrival to join of members that had not booked it when the file was written.

    A member books it in its next team; the runtime's rule is in runtime/src/tasks/team_exit.c.
    """
    for location in list(records.locations.values()):
        master = records.locations.get((location.arrived >> TEAM_MASTER_SHIFT) - 1)
        if not (waits_for_join(location) and master and master.joined == location.arrived):
            continue
        joined, frames = master.joined_since, records.stacks.get(location.id)
        tasks = location.arrived_tasks
        if frames and frames[0].kind == FrameKind.TASK:
            begin = frames[0].since
            tasks += max(0, min(max(location.last, begin), joined) - begin)
        waited = max(0, master.joined_assembled - location.arrived_since)
        duration = max(0, joined - location.arrived_since)
        sums = _sums_of(records.sums, location.arrived_path, location.id)
        sums[Column.EXEC_T] += duration
        sums[Column.TASK_T] += tasks
        sums[Column.EXIT_BAR_T] += max(0, waited - tasks)
        sums[Column.SHUTDWN_T] += max(0, duration - max(waited, tasks))
        records.locations[location.id] = replace(location, cut_since=joined)


def _close_arrived(records: Sums, end: int) -> None:
    """Account for the locations that wait at a region's end for a team that was not joined."""
    for location in records.locations.values():
        if not waits_for_join(location):
            continue
        sums = _sums_of(records.sums, location.arrived_path, location.id)
        duration, tasks = max(0, end - location.arrived_since), location.arrived_tasks
        frames = records.stacks.get(location.id)
        if frames and frames[0].kind == FrameKind.TASK:
            tasks += max(0, end - frames[0].since)
        sums[Column.EXEC_T] += duration
        sums[Column.TASK_T] += tasks
        sums[Column.EXIT_BAR_T] += max(0, duration - tasks)


def open_until(records: Sums, location: int, end: int) -> int:
    """Return when a location's open frames end, at most `end`.

    A canceled worker's frames end with its team's join, an open task's with the location's newest
    event.
    """
    frames, location_record = records.stacks.get(location), records.locations.get(location)
    if not frames or location_record is None:
        return end
    if frames[0].kind == FrameKind.TASK and frames[0].start <= location_record.cut_since:
        return min(end, location_record.last)
    if not location_record.cut or frames[0].team != location_record.cut:
        return end
    return min(end, max(location_record.cut_since, location_record.last))


def _sums_of(sums: OpenSums, path: int, location: int) -> list[int]:
    """Return the sums of a visit that is still open; an unused list if there are none."""
    return sums.get((path, location), [0] * COLUMNS)


def _close_frame(sums: list[int], frame: OpenFrame, end: int, still: int) -> None:
    """Book an open frame; its task was suspended for `still` ticks."""
    if frame.kind not in (FrameKind.FORK, FrameKind.CREATE):
        sums[Column.EXEC_T] += max(0, end - frame.start - still)
        if frame.flags & FrameFlag.INNER:
            sums[Column.INNER_T] += max(0, end - frame.start - still)
    if Column.EXEC_T < frame.phase < COLUMNS and frame.kind != FrameKind.FORK:
        sums[frame.phase] += max(0, end - frame.since - still)


def successions(records: Records) -> list[list[RawLocation]]:
    """Return the locations that took part, in the report's order, successive ones in one row.

    The order is by level and thread number, so in a plain program a row is an OpenMP thread number.
    libgomp replaces threads as teams change their size. A worker that started after another of its
    role had ended continues that one's row.
    """
    taking_part = [location for location in records.locations.values() if location.last]
    rows: list[list[RawLocation]] = []
    by_role: dict[tuple[int, int], list[list[RawLocation]]] = {}
    for location in sorted(taking_part, key=report_order):
        same_role = by_role.setdefault((location.level, location.thread_num), [])
        row = next((row for row in same_role if _carries_on(records, row[-1], location)), None)
        if row is None:
            same_role.append([location])
            rows.append(same_role[-1])
        else:
            row.append(location)
    return rows


def report_order(location: RawLocation) -> tuple[int, int, int, int]:
    """Return a location's key in the report's order; its number is not one, as threads take numbers
    as they start."""
    return location.level, location.thread_num, location.first, location.id


def _carries_on(records: Records, earlier: RawLocation, later: RawLocation) -> bool:
    """Return True if `later` continues `earlier`'s row.

    Initial threads (level 0) have rows of their own. A canceled location, or one that waits at its
    region's end, lasts until its team's join.
    """
    until = max(earlier.last, earlier.cut_since)
    has_ended = until <= later.first and not records.stacks.get(earlier.id)
    return later.level > 0 and has_ended and not waits_for_join(earlier)


def waits_for_join(location: RawLocation) -> bool:
    """Return True if the location waits at the end of a region whose team was not joined."""
    return bool(location.arrived) and location.cut_since < location.arrived_since
