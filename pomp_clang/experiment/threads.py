"""Locations -> the threads that a report lists."""

from __future__ import annotations

from pomp_clang.experiment.records import RawLocation, Records


def successions(records: Records) -> list[list[RawLocation]]:
    """The locations that took part, in the report's order; one after the other in a row.

    The order is that of the roles at first sight (level, thread number), so in a plain
    program a position is an OpenMP thread number.  A worker that was started when another
    of its role had done its last (libgomp replaces threads as teams change their size)
    carries that one on.
    """
    taking_part = [each for each in records.locations.values() if each.last]
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
    """A location's number is none: threads take theirs as they come."""
    return location.level, location.thread_num, location.first, location.id


def _carries_on(records: Records, earlier: RawLocation, later: RawLocation) -> bool:
    """Initial threads (level 0) are each their own.  One whose region was canceled, or that waits at
    its end, is there until its team was joined."""
    until = max(earlier.last, earlier.cut_since)
    has_ended = until <= later.first and not records.stacks.get(earlier.id)
    return later.level > 0 and has_ended and not waits_for_join(earlier)


def waits_for_join(location: RawLocation) -> bool:
    """Whether it is in the barrier at the end of a region whose team was not joined."""
    return bool(location.arrived) and location.cut_since < location.arrived_since
