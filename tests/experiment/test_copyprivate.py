"""The wait at a single with copyprivate is the time beside the block."""

from __future__ import annotations

from pomp_clang.experiment.layout import COLUMNS, Column
from pomp_clang.experiment.reader import book_waits
from pomp_clang.experiment.records import RawPath, RawRegion, Records, RunHeader


def _waits(kind: str, clauses: str, expected: int = 0) -> list[int]:
    """Return the ticks in the barrier of the thread in the block and of another one."""
    strings = kind, "", "a.c", clauses, "f"
    rows = {}
    for location, body in ((1, 90), (2, 0)):
        row = [0] * COLUMNS
        row[Column.EXEC_T], row[Column.BODY_T], row[Column.EXIT_BAR_T] = 100, body, expected
        rows[1, location] = row
    experiment_ = Records(
        sums=rows,
        header=RunHeader(*[0] * 12),
        regions={7: RawRegion(7, 0, 0, (1, 1, 2, 2), 1, strings)},
        paths={1: RawPath(0, 7, False)},
    )
    book_waits(experiment_, (experiment_,))
    return [row[Column.EXIT_BAR_T] for row in experiment_.sums.values()]


def test_what_a_visit_takes_beside_the_block_is_the_wait() -> None:
    assert _waits("single", "copyprivate(x)") == [10, 100]


def test_a_wait_that_was_measured_and_other_constructs_stay_as_they_are() -> None:
    assert _waits("single", "copyprivate(x)", 5) == [5, 5]
    assert _waits("single", "nowait") == [0, 0]
    assert _waits("critical", "copyprivate(x)") == [0, 0]
