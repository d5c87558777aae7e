"""Every column that a page may show is explained in it."""

from __future__ import annotations

from pomp_clang.analysis.columns import (
    CHUNK_COLUMNS,
    COLUMN_MEANINGS,
    COLUMNS,
    MPI_COLUMNS,
)
from pomp_clang.report.html.profile import render
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from tests.handmade import figure_1


def test_every_column_has_a_meaning() -> None:
    all_columns = (CHUNK_COLUMNS, MPI_COLUMNS, *COLUMNS.values())
    names = {c.name for columns in all_columns for c in columns}
    assert names == set(COLUMN_MEANINGS), "COLUMN_MEANINGS in pomp_clang/analysis/columns.py"


def test_only_those_that_are_there_are_explained() -> None:
    text = render(profile_report(figure_1()), Options())
    assert (
        "<dt>enterT</dt><dd>wait for the critical section, the lock, or the turn in ordered</dd>"
        in text
    )
    assert "<dt>sectT</dt>" not in text
