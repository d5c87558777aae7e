"""Edits are applied once, in order, and refuse to overlap."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomp_clang.rewrite.edits import EditConflictError, EditSet


def test_insertions_at_one_offset_go_by_rank_then_by_age() -> None:
    edits = EditSet()
    edits.insert(1, "outer", rank=0)
    edits.insert(1, "inner", rank=-1)
    edits.insert(1, "later", rank=0)
    assert edits.apply("ab") == "ainnerouterlaterb"


def test_an_insertion_goes_before_a_replacement_that_begins_there() -> None:
    edits = EditSet()
    edits.replace(1, 2, "X")
    edits.insert(1, "+")
    edits.insert(2, "-")
    assert edits.apply("abc") == "a+X-c"


def test_two_replacements_of_one_character_are_refused() -> None:
    edits = EditSet()
    edits.replace(0, 2, "x")
    edits.replace(1, 3, "y")
    with pytest.raises(EditConflictError):
        edits.apply("abc")


@given(st.text(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.text(max_size=3))))
def test_insertions_keep_the_text(text: str, insertions: list[tuple[int, str]]) -> None:
    edits = EditSet()
    for at, new in insertions:
        edits.insert(min(at, len(text)), new)
    result = edits.apply(text)
    assert len(result) == len(text) + sum(len(new) for _, new in insertions)
    rest = iter(result)
    assert all(character in rest for character in text)
