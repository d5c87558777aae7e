"""Aligned columns, and what gives way when they are too wide."""

from __future__ import annotations

from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.table import Cell, Field, table

FIELDS = [
    Field("name", right=False, minimum=4, elastic="right"),
    Field("place", right=False, minimum=4, elastic="left"),
    Field("n", minimum=3),
]
ROWS = [[Cell("alphabet"), Cell("dir/file.c"), Cell("1")], [Cell("b"), Cell("c"), Cell("1000")]]


def test_columns_are_aligned() -> None:
    assert table(Terminal(), FIELDS, ROWS) == [
        "name      place          n",
        "alphabet  dir/file.c     1",
        "b         c           1000",
    ]


def test_the_widest_elastic_column_gives_way_first() -> None:
    lines = table(Terminal(unicode=True, width=22), FIELDS, ROWS)
    assert lines[1] == "alphab…  …file.c     1"
    assert max(map(len, lines)) == 22


def test_no_column_becomes_less_than_its_least() -> None:
    lines = table(Terminal(width=5), FIELDS, ROWS)
    assert lines[1] == "al..  ...c     1"


def test_colour_takes_no_room() -> None:
    rows = [[Cell("a", "hot"), Cell("b"), Cell("1", "dim")]]
    lines = table(Terminal(color=True), FIELDS, rows)
    assert lines[1] == "\x1b[31m\x1b[1ma\x1b[0m     b        \x1b[2m1\x1b[0m"
