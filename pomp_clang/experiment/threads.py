"""Locations as the threads that a report lists."""

from __future__ import annotations

from pomp_clang.experiment.records import RawLocation, Records


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
