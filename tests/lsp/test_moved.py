"""Places of a text that was edited since, by their lines."""

from __future__ import annotations

from pomp_clang.lsp.moved import moved
from tests.lsp.handmade import place

TEXT = "".join(f"line {i}\n" for i in range(10))


def firsts(new: str) -> list[tuple[int, int]]:
    places = [place("for", "f", 2), place("for", "f", 7, nth=2)]
    return [(each.first, each.last) for each in moved(places, TEXT, new)]


def test_lines_before_between_and_deleted() -> None:
    assert firsts("x\n" + TEXT) == [(3, 4), (8, 9)]
    assert firsts(TEXT.replace("line 5\n", "line 5\nx\ny\n")) == [(2, 3), (9, 10)]
    assert firsts(TEXT.replace("line 2\n", "")) == [(6, 7)]
    both = TEXT.replace("line 0\n", "").replace("line 4\n", "line 4\nx\n")
    assert firsts(both) == [(1, 2), (7, 8)]


def test_another_end() -> None:
    assert firsts(TEXT + "more") == [(2, 3), (7, 8)]
    assert firsts("") == []
