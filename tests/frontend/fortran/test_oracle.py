"""The scanner against the reading of gfortran, flang and tree-sitter, and against known texts."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.frontend.fortran.flang_tree import parsed
from tests.frontend.fortran.gfortran_tree import dumped, scanned
from tests.frontend.fortran.loop_extents import parsed_loops, scanned_loops
from tests.frontend.fortran.random_text import RandomText
from tests.frontend.fortran.texts import FIXED, FREE, extents, found_in

FLANG = ("flang-new-19", "flang-new", "flang")
_LABELLED_LOOP = re.compile(r"\bdo \d")


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.booleans())
def test_constructs_of_a_random_text_are_found_where_they_were_put(seed: int, fixed: bool) -> None:
    text = RandomText(seed, fixed)
    actual = extents(text.text, FIXED if fixed else FREE)
    assert [row.strip() for row in actual] == text.expected


@pytest.mark.parametrize("fixed", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_gfortran_reads_the_same_constructs(seed: int, fixed: bool, tmp_path: Path) -> None:
    if shutil.which("gfortran") is None:
        pytest.skip("gfortran is not here")
    text = RandomText(seed, fixed).text
    path = tmp_path / ("a.f" if fixed else "a.f90")
    path.write_text(text)
    tree = dumped(["gfortran", str(path)])
    assert tree
    assert tree == scanned(found_in(text, FIXED if fixed else FREE))


@pytest.mark.parametrize("fixed", [False, True])
def test_flang_reads_the_same_constructs(fixed: bool, tmp_path: Path) -> None:
    flang = next(filter(shutil.which, FLANG), "")
    if not flang:
        pytest.skip("flang is not here")
    compared = 0
    for seed in range(12):
        text = RandomText(seed, fixed).text
        path = tmp_path / ("a.f" if fixed else "a.f90")
        path.write_text(text)
        # flang 19 takes no BLOCK as the block of a directive, and continues no `!$` line.
        tree = None if _LABELLED_LOOP.search(text) else parsed(flang, str(path))
        if tree is not None:
            assert tree == scanned(found_in(text, FIXED if fixed else FREE)), text
            compared += 1
    assert compared > 2


def test_loops_of_constructs_end_where_tree_sitter_ends_them() -> None:
    pytest.importorskip("tree_sitter_fortran")
    compared = 0
    for seed in range(40):
        text = RandomText(seed, False).text
        found_loops, reference_loops = scanned_loops(found_in(text)), parsed_loops(text)
        assert {line: reference_loops.get(line) for line in found_loops} == found_loops, text
        compared += len(found_loops)
    assert compared > 10
