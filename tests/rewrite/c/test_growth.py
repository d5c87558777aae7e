"""The work for a unit grows with the unit, and no faster.

The interpreter counts: each line that is run, and each turn of a loop on one line, is a step.
For three sizes n, 2n and 4n, the second difference is twice the first one if all work is linear. It
is four times the first one if a loop over all elements runs for each element.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from pomp_clang.driver.unit.named_source import unit_of
from pomp_clang.frontend.c.preprocessed import read_output
from pomp_clang.record import replace
from pomp_clang.rewrite.instrument import instrument
from pomp_clang.selection.selection import ConstructSelection
from tests.benchmark.hard_units import FAMILIES, Family
from tests.compilers import first

CLANG = {False: first("clang-19", "clang"), True: first("clang++-19", "clang++")}
pytestmark = pytest.mark.skipif(not CLANG[True], reason="no clang with libomp on the PATH")

LINEAR = 2.35
"""The second difference by the first: sorting and searching are a little more than linear."""

DEPTH = {"nested blocks", "nested constructs", "else-if chain"}
"""In these the constructs around each are its own, and so is the way down to it; compilers
bound them."""
SIZES = {"nested includes": 20, "wide includes": 200, "long expressions": 10, "large tables": 20}
SMALLEST = 60


def steps(act: Callable[[], Any]) -> int:
    """Return the number of steps that a call takes."""
    count = 0

    def step(_frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        act()
    finally:
        sys.settrace(before)
    return count


class Counting(str):
    """A text that counts the characters that are copied out or counted."""

    read = 0

    def __getitem__(self, at: Any) -> str:
        part = super().__getitem__(at)
        Counting.read += len(part)
        return part

    def count(self, part: str, *between: int) -> int:  # type: ignore[override]
        start, end = between or (0, len(self))
        Counting.read += end - start
        return super().count(part, *between)


def characters(act: Callable[[], Any]) -> int:
    """Return the number of characters that a call reads."""
    before = Counting.read
    act()
    return Counting.read - before


def rewritten(family: Family, size: int, folder: Path) -> int:
    """Return the number of steps from a unit of the family to its new text."""
    place = folder / str(size)
    place.mkdir()
    files = family.make(size)
    for name, text in files.items():
        (place / name).write_text(text)
    path = place / next(iter(files))
    measured = "--pomp-functions=all" in family.pomp_options
    command = [CLANG[path.suffix == ".cpp"], "-fopenmp", *family.flags]
    unit = unit_of(str(path), command, functions=measured)
    results: list[Any] = []
    re.purge()  # of patterns with names of the smaller unit's
    count = steps(lambda: results.append(instrument(unit, ConstructSelection(functions=measured))))
    assert results[0].replaces
    return count


def linear(at_size: int, two: int, four: int) -> bool:
    """Return whether the counts at three sizes grow no faster than the size."""
    return four - two <= LINEAR * (two - at_size)


def test_lines_of_a_preprocessors_output_are_counted_once() -> None:
    def counted(size: int) -> int:
        raw = 'const char *s = R"(\na\n)";\n'
        text = Counting('# 1 "unit.c"\n' + f"#pragma omp atomic\n{raw}omp_set_lock(&l);\n" * size)
        return characters(lambda: read_output(text, "unit.c", ""))

    counts = [counted(size) for size in (100, 200, 400)]
    assert linear(*counts), counts


@pytest.mark.parametrize("name", ["one function", "lock calls", "loops in one function"])
def test_the_text_behind_a_construct_is_not_copied(name: str, tmp_path: Path) -> None:
    family = next(family for family in FAMILIES if family.name == name)

    def copied(size: int) -> int:
        path = tmp_path / f"{size}.c"
        path.write_text(family.make(size)["unit.c"])
        unit = unit_of(str(path), [CLANG[False], "-fopenmp", "-O1"])
        counting = replace(unit, text=Counting(unit.text))
        return characters(lambda: instrument(counting))

    copied(1)
    counts = [copied(size) for size in (100, 200, 400)]
    assert linear(*counts), counts


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name.replace(" ", "-"))
def test_the_work_for_a_unit_grows_with_the_unit(family: Family, tmp_path: Path) -> None:
    if family.name in DEPTH:
        pytest.skip("as deep as long")
    size = SIZES.get(family.name, SMALLEST)
    rewritten(family, 1, tmp_path)  # imports and fills caches
    at_size, two, four = (rewritten(family, size * times, tmp_path) for times in (1, 2, 4))
    assert linear(at_size, two, four), (at_size, two, four)
