"""Rows are the cursors that libclang's own visit has, with their extents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pomp_clang.driver.unit.named_source import unit_of
from pomp_clang.frontend.c.cursor_rows import CursorRow, cursor_of
from pomp_clang.frontend.c.libclang import VISITOR, Cursor
from pomp_clang.frontend.c.node import FUNCTIONS
from pomp_clang.frontend.c.parse import parse
from pomp_clang.frontend.c.parsed_unit import ParsedUnit
from tests.frontend.conftest import compiler

HEADER = """\
#define DECLARED int
#define BLOCK(x) { x++; }
DECLARED of_macro(int x);
extern "C" {
#include "within.h"
}
"""
MANY = 700
TEXT = """\
#include "header.h"
struct Own { int member() { return 1; } void operator()() { } };
auto lambda = [] { return [] { return 1; }; };
template <class T> T of_template(T x) { return x; }
int shortened(auto x) BLOCK(x)
DECLARED end_of_macro(int x) BLOCK(x)
""" + "".join(f"int variable{number}, other{number} = sizeof(Own);\n" for number in range(MANY))


@pytest.fixture(name="parsed", scope="module")
def _parsed(tmp_path_factory: pytest.TempPathFactory) -> ParsedUnit:
    folder: Path = tmp_path_factory.mktemp("rows")
    (folder / "header.h").write_text(HEADER)
    (folder / "within.h").write_text("int within(int x) { return x; }\n")
    source = folder / "unit.cpp"
    source.write_text(TEXT)
    parsed = parse(unit_of(str(source), [compiler(True), "-std=c++20", "-c"]), {})
    assert parsed is not None
    return parsed


def _visited(parsed: ParsedUnit, cursor: Cursor, kinds: frozenset[int] | None) -> list[Cursor]:
    """Return the children of a cursor, or its outermost cursors of some kinds."""
    cursors: list[Cursor] = []

    def visit(child: Cursor, _parent: Cursor, _data: Any) -> int:
        if kinds is not None and child.kind not in kinds:
            return 2
        if not 500 <= child.kind <= 503:
            cursors.append(child)
        return 1

    parsed.library.clang_visitChildren(cursor, VISITOR(visit), None)
    return cursors


def _row(parsed: ParsedUnit, cursor: Cursor) -> CursorRow:
    extent = parsed.library.clang_getCursorExtent(cursor)
    data = [pointer or 0 for pointer in cursor.data]
    return (cursor.kind, cursor.xdata, data[0], data[1], data[2], extent.begin, extent.end)


def test_rows_are_those_of_a_visit(parsed: ParsedUnit) -> None:
    pending = [parsed.root]
    number = 0
    while pending:
        cursor = pending.pop()
        children = _visited(parsed, cursor, None)
        number = max(number, len(children))
        rows = parsed.rows.children(cursor)
        assert rows == [_row(parsed, child) for child in children]
        assert [parsed.rows.of(cursor_of(row)) for row in rows] == rows
        functions = _visited(parsed, cursor, FUNCTIONS)
        assert parsed.rows.within(cursor, FUNCTIONS) == [_row(parsed, f) for f in functions]
        pending += children
    assert number > 2 * MANY


def test_runs_have_all_rows_with_their_homes(parsed: ParsedUnit) -> None:
    rows = parsed.rows.children(parsed.root)
    runs = list(parsed.runs(rows))
    assert [row for _, run in runs for row in run] == rows
    assert [name for name, run in runs for _ in run] == [
        parsed.home(cursor_of(row)) for row in rows
    ]


def test_the_span_of_a_row_is_that_of_its_places(parsed: ParsedUnit) -> None:
    pending = [*parsed.rows.children(parsed.root)]
    while pending:
        row = pending.pop()
        pending += parsed.rows.children(cursor_of(row))
        (name, _, start), (last, _, end) = parsed.extent(cursor_of(row))
        span = parsed.row_span(row, name) if name else None
        if name and parsed.row_home(row) == name:
            assert span == (start, end if last == name else start)
        else:
            assert span is None
        assert parsed.row_span(row, "elsewhere.h") is None
