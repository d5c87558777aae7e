"""The call paths of several processes as those of one experiment."""

from __future__ import annotations

from collections.abc import Sequence

from pomp_clang.experiment.model import CallPath, Region

_Numbers = dict[str, int]


def merge_callpaths(
    processes: Sequence[tuple[tuple[CallPath, ...], _Numbers]], regions: Sequence[Region]
) -> tuple[tuple[CallPath, ...], list[_Numbers]]:
    """Return the call paths of all processes, callers before their callees, and the row of each
    call path of each process by its id.

    `processes` are the call paths of each, with the row of a region by its id. The call paths of
    one process keep their ids.
    """
    merged: list[CallPath] = []
    rows: dict[tuple[int, int, bool], int] = {}
    numbers: list[_Numbers] = []
    for paths, region_rows in processes:
        own: _Numbers = {}
        for path in paths:
            above = own[path.above] if path.above is not None else -1
            key = above, region_rows[path.region], path.task
            if key not in rows or len(processes) == 1:
                rows[key] = len(merged)
                ident = path.id if len(processes) == 1 else f"C{len(merged) + 1:05d}"
                parent = merged[above].id if above >= 0 else None
                merged.append(CallPath(ident, parent, regions[key[1]].id, path.task))
            own[path.id] = rows[key]
        numbers.append(own)
    return tuple(merged), numbers
