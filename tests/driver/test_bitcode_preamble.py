"""Headers that are precompiled for the bitcode of several sources."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pomp_clang.driver.process.run import Outcome, query
from pomp_clang.driver.unit import unit_bitcode
from pomp_clang.driver.unit.named_source import unit_of
from pomp_clang.driver.unit.unit_bitcode import UnitBitcode
from pomp_clang.frontend.c import preamble_store
from pomp_clang.frontend.c.files import read_unit
from pomp_clang.frontend.c.preamble_store import PreambleStore
from pomp_clang.selection.cost.estimates import Estimates
from tests.compilers import first

Estimate = Callable[[int], Estimates | None]
HEADER = """
#pragma once
#include <vector>
template <class T> T sum(const std::vector<T> &v) { T s{}; for (T x : v) s += x / s; return s; }
"""
SOURCE = '#include "own.h"\n#include <cmath>\ndouble f{0}(std::vector<double> &v) {{ return sum(v) + {0}; }}\n'


@contextmanager
def _no_folder() -> Iterator[str]:
    raise OSError
    yield ""


@pytest.fixture
def compiles(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands of compiles to bitcode, whose processes share precompiled headers."""
    monkeypatch.setattr(preamble_store, "_stores", [PreambleStore(_no_folder)])
    done: list[list[str]] = []

    def noted(words: list[str], timeout: float, stdin: bytes | None = None) -> Outcome:
        done.append(words)
        return query(words, timeout, stdin)

    monkeypatch.setattr(unit_bitcode, "query", noted)
    return done


def estimated(path: str, *command: str) -> Estimates | None:
    """Read a source, and return the estimates of its functions."""
    unit = unit_of(path, [*command], functions=True)
    bitcode = UnitBitcode([unit])
    read_unit(unit, bitcode.auto.candidates)
    return bitcode.estimates()


@pytest.fixture
def estimate(tmp_path: Path, compiles: list[list[str]]) -> Estimate:
    """Return a function that estimates the functions of a source by its number."""
    clang = first("clang++-19", "clang++") or pytest.skip("no clang++ is here")
    (tmp_path / "own.h").write_text(HEADER)

    def run(number: int) -> Estimates | None:
        path = tmp_path / f"{number}.cpp"
        path.write_text(SOURCE.format(number))
        return estimated(str(path), clang, "-O2")

    return run


def reading(compiles: list[list[str]]) -> list[bool]:
    """Return for each compile of a source if it read precompiled headers."""
    return ["-include-pch" in words for words in compiles if words[-3].endswith(".cpp")]


def test_the_third_source_with_the_same_headers_has_them_precompiled(
    estimate: Estimate, compiles: list[list[str]]
) -> None:
    estimates = [estimate(number) for number in range(4)]
    assert reading(compiles) == [False, False, True, True]
    assert len(compiles) == 5
    sums = [known and known.of("own.h", 4, "sum") for known in estimates]
    assert sums[0] == sums[2] == sums[3] and sums[0] is not None
    assert all(known and known.of(f"{n}.cpp", 3, f"f{n}") for n, known in enumerate(estimates))


@pytest.mark.parametrize(
    ("options", "shared"), [("-I{0}", True), ("-I{0}/{1} -isystem {0}", True), ("-I.", False)]
)
def test_sources_in_several_folders_share_them_unless_a_folder_is_relative(
    tmp_path: Path,
    compiles: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    options: str,
    shared: bool,
) -> None:
    clang = first("clang++-19", "clang++") or pytest.skip("no clang++ is here")
    (tmp_path / "own.h").write_text(HEADER)
    for number in range(4):
        folder = tmp_path / str(number)
        folder.mkdir()
        if not shared:
            (folder / "own.h").symlink_to(tmp_path / "own.h")
        (folder / "a.cpp").write_text(SOURCE.format(number).replace('"own.h"', "<own.h>"))
        monkeypatch.chdir(folder)
        words = options.format(tmp_path, number).split()
        assert estimated("a.cpp", clang, "-O2", *words) is not None
    assert reading(compiles)[2:] == [shared, shared]


def test_headers_behind_the_guard_of_a_header_that_no_other_source_has(
    tmp_path: Path, compiles: list[list[str]]
) -> None:
    clang = first("clang++-19", "clang++") or pytest.skip("no clang++ is here")
    (tmp_path / "own.h").write_text(HEADER)
    for number in range(4):
        text = SOURCE.format(number)
        guarded = f"#ifndef GUARD_{number}\n#define GUARD_{number}\n{text}#endif\n"
        (tmp_path / f"{number}.h").write_text(guarded)
        (tmp_path / f"{number}.cpp").write_text(f'#include "{number}.h"\n')
        known = estimated(str(tmp_path / f"{number}.cpp"), clang, "-O2")
        assert known and known.of("own.h", 4, "sum") and known.of(f"{number}.h", 5, f"f{number}")
    assert reading(compiles) == [False, False, True, True]


def test_headers_that_changed_are_read_from_their_text(
    estimate: Estimate, compiles: list[list[str]], tmp_path: Path
) -> None:
    for number in range(3):
        estimate(number)
    (tmp_path / "own.h").write_text("\n" + HEADER)
    changed = estimate(3)
    assert reading(compiles)[2:] == [True, True]
    assert changed is not None and changed.of("own.h", 5, "sum") is not None


def test_headers_whose_comments_alone_changed_are_read_from_their_text(
    estimate: Estimate, compiles: list[list[str]], tmp_path: Path
) -> None:
    for number in range(3):
        estimate(number)
    (tmp_path / "own.h").write_text(f"{HEADER}// clang refuses the file\n")
    changed = estimate(3)
    assert reading(compiles)[2:] == [True, True, False]
    assert changed is not None and changed.of("own.h", 4, "sum") is not None
    estimate(4)
    assert reading(compiles)[5:] == [False]


def test_of_a_header_without_a_guard_those_that_it_includes_are_precompiled(
    estimate: Estimate, compiles: list[list[str]], tmp_path: Path
) -> None:
    (tmp_path / "own.h").write_text(HEADER.replace("#pragma once", ""))
    estimates = [estimate(number) for number in range(4)]
    assert all(known and known.of("own.h", 4, "sum") for known in estimates)
    assert reading(compiles) == [False, False, True, True]


def test_the_file_is_open_in_this_process_alone(
    estimate: Estimate, compiles: list[list[str]]
) -> None:
    for number in range(4):
        estimate(number)
    at = compiles[-1].index("-include-pch")
    assert compiles[-1][at + 1].startswith(f"/proc/{os.getpid()}/fd/")
