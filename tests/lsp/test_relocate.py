"""Places of a text that was edited since, by their lines."""

from __future__ import annotations

import time

from pomp_clang.lsp.place import line_numbers, relocate
from tests.lsp.handmade import place

TEXT = "".join(f"line {i}\n" for i in range(10))


def firsts(new: str) -> list[tuple[int, int]]:
    places = [place("for", "f", 2), place("for", "f", 7, nth=2)]
    return [(place.first, place.last) for place in relocate(places, TEXT, new)]


def test_lines_before_between_and_deleted() -> None:
    assert firsts("x\n" + TEXT) == [(3, 4), (8, 9)]
    assert firsts(TEXT.replace("line 5\n", "line 5\nx\ny\n")) == [(2, 3), (9, 10)]
    assert firsts(TEXT.replace("line 2\n", "")) == [(6, 7)]
    both = TEXT.replace("line 0\n", "").replace("line 4\n", "line 4\nx\n")
    assert firsts(both) == [(1, 2), (7, 8)]


def test_another_end() -> None:
    assert firsts(TEXT + "more") == [(2, 3), (7, 8)]
    assert firsts("") == []


def test_a_name_that_is_another_all_over_a_long_file() -> None:
    body = "".join(
        f"void f{i}(int n)\n{{\n#pragma omp parallel\n    go(n);\n}}\n" for i in range(600)
    )
    began = time.process_time()
    actual = line_numbers(body, "// first\n" + body.replace("go(n)", "run(n)") + "// last\n")
    assert time.process_time() - began < 2
    pragmas = [i for i, line in enumerate(body.split("\n")) if line.startswith("#")]
    assert [actual[i] for i in pragmas] == [i + 1 for i in pragmas]


def test_lines_that_changed_places_are_found_as_far_as_they_are_in_order() -> None:
    text = "a\nb\nc\nd\ne\n"
    assert line_numbers(text, "a\nd\nb\nc\ne\n") == {0: 0, 1: 2, 2: 3, 4: 4, 5: 5}
    assert line_numbers("{\n}\n{\n}\n", "{\nx\n}\n{\n}\n}\n") == {0: 0, 1: 2, 2: 3, 3: 5, 4: 6}
