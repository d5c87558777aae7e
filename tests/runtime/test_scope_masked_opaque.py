"""Scope, masked, and constructs measured from outside: all newer than the POMP paper."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from pomp_clang.experiment.model import Experiment
from tests.runtime.conftest import Program
from tests.runtime.harness import Build, counts, measure, rows, run, total

SOURCE = Path(__file__).parent / "programs" / "scope_masked_opaque.c"
LINES = [int(line) for line in re.findall(r"^  X\(\w+, (\d+)\)", SOURCE.read_text(), re.M)]


@pytest.fixture(scope="module")
def measured(program: Program, tmp_path_factory: pytest.TempPathFactory) -> Experiment:
    return measure(program("scope_masked_opaque"), folder=tmp_path_factory.mktemp("run"))


def test_scope_is_like_a_loop(measured: Experiment) -> None:
    threads = rows(measured, 20)
    assert counts(measured, 20) == dict.fromkeys(range(4), 1)
    for tid, m in threads.items():
        assert m.bodyT >= 0.01 * (tid + 1)
        assert m.bodyT + m.exitBarT == pytest.approx(m.execT, rel=0.2)
    assert threads[0].exitBarT >= 0.02


def test_masked_is_like_master(measured: Experiment) -> None:
    assert counts(measured, 30) == {0: 1}
    assert total(measured, 30, "execT") >= 0.01


def test_a_combined_construct_is_one(measured: Experiment) -> None:
    """Count one visit for each thread: the combined construct has one descriptor."""
    assert counts(measured, 40) == dict.fromkeys(range(4), 1)
    assert rows(measured, 40)[0].bodyT >= 0.01
    assert counts(measured, 50) == {0: 1}
    region, scope, masked, loops = (rows(measured, line)[0] for line in (10, 20, 30, 50))
    assert 0.005 <= loops.execT <= region.bodyT - scope.execT - masked.execT


@pytest.mark.parametrize("line", LINES)
def test_what_is_left_alone_inside(measured: Experiment, line: int) -> None:
    assert counts(measured, line) == {0: 1}
    assert total(measured, line, "execT") >= 0.002


@pytest.mark.parametrize("library", ["pomp-log", "pomp-null"])
def test_the_other_libraries_know_every_call(build: Build, tmp_path: Path, library: str) -> None:
    other = replace(build, library=library)
    for name in ("scope_masked_opaque", "tasks"):
        program = other.compile(f"{name}.c", tmp_path / name)
        result = run(program, "fibonacci", "4", folder=tmp_path, POMP_LOG="count")
        assert result.status == 0
        assert ("total Task_begin 1972\n" in result.stderr) == (
            (name, library) == ("tasks", "pomp-log")
        )
        assert ("total Dispatch_exit 1\n" in result.stderr) == (
            (name, library) == ("scope_masked_opaque", "pomp-log")
        )
