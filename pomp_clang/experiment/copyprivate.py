"""The waits at the end of a `single` with copyprivate, whose barrier has no event of its own.

The directive takes no nowait (OpenMP 5.2, 10.1), so the barrier stays within the construct. A thread
does nothing else there than run the block, or wait for it and copy its result. So what a visit takes
beside the block and tasks is the wait.
"""

from __future__ import annotations

from collections.abc import Iterable

from pomp_clang.experiment.layout import Column
from pomp_clang.experiment.records import RawRegion, Records, Sums


def book_waits(records: Records, all_sums: Iterable[Sums]) -> None:
    """Set the time of the implied barrier in the rows of such constructs, in ticks."""
    regions = {number for number, region in records.regions.items() if _is_copied(region)}
    paths = {number for number, path in records.paths.items() if path.region in regions}
    for sums in all_sums if paths else ():
        for (path, _), row in sums.sums.items():
            if path in paths and not row[Column.EXIT_BAR_T]:
                barrier_time = row[Column.EXEC_T] - row[Column.BODY_T] - row[Column.TASK_T]
                row[Column.EXIT_BAR_T] = max(0, barrier_time)


def _is_copied(region: RawRegion) -> bool:
    kind, _, _, clauses, _ = region.strings
    return kind == "single" and "copyprivate" in clauses
