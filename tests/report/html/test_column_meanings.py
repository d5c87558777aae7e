"""Every column that a page may show is explained in it."""

from __future__ import annotations

from pomp_clang.openmp.columns import COLUMNS, MPI_COLUMNS
from pomp_clang.report.html.column_meanings import COLUMN_MEANINGS
from pomp_clang.report.html.profile_page import render
from pomp_clang.report.options import Options
from tests.handmade import figure_1


def test_every_column_has_a_meaning() -> None:
    all_columns = (MPI_COLUMNS, *COLUMNS.values())
    assert {c.name for columns in all_columns for c in columns} == set(COLUMN_MEANINGS)


def test_only_those_that_are_there_are_explained() -> None:
    text = render(figure_1(), Options())
    assert "<dt>enterT</dt><dd>waiting to be let in</dd>" in text
    assert "<dt>sectT</dt>" not in text
