"""Columns in bytes as columns of the protocol."""

from __future__ import annotations

import pytest

pytest.importorskip("pygls")

from lsprotocol import types

from pomp_clang.lsp.source_annotations import DocumentLines

TEXT = "/* ä 🦉 */ f();\r\n\x0c\tg();\n"


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def test_letters_of_several_bytes_and_of_two_units() -> None:
    lines = DocumentLines(TEXT, utf16)
    column = TEXT.encode().index(b"f()")
    assert lines.at(0, column) == types.Position(0, utf16(TEXT[: TEXT.index("f()")]))
    assert lines.at(0, column).character == column - 3  # a byte of the letter, two of the owl


def test_a_form_feed_ends_no_line_and_a_carriage_return_is_none_of_its_text() -> None:
    lines = DocumentLines(TEXT, utf16)
    assert lines.end(0) == types.Position(0, utf16("/* ä 🦉 */ f();"))
    assert lines.text_range(1) == types.Range(types.Position(1, 2), types.Position(1, 6))


def test_lines_that_are_not_there_are_empty() -> None:
    assert DocumentLines("", utf16).text_range(7) == types.Range(
        types.Position(7, 0), types.Position(7, 0)
    )
