"""Nested teams, recursion, and regions left open."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.conftest import Program
from tests.runtime.harness import counts, measure, rows, run, total


def test_nested_teams(program: Program, tmp_path: Path) -> None:
    measured = measure(program("nesting"), "nested", folder=tmp_path)
    assert counts(measured, 10) == {0: 1, 1: 1}
    # A thread of the second inner team may take the place of one of the first that has ended.
    assert sum(counts(measured, 20).values()) == 6
    assert total(measured, 20, "bodyT") >= 0.06


def test_time_before_regions_is_outside_all_of_them(program: Program, tmp_path: Path) -> None:
    """A region within another one follows no serial time, and only the main thread has some."""
    measured = measure(program("nesting"), "serial", folder=tmp_path)
    serial = {line: rows(measured, line)[0].serialT for line in (10, 20)}
    assert serial[10] >= 0.02
    assert serial[20] >= 0.03
    assert sum(serial.values()) <= measured.duration - rows(measured, 10)[0].execT - 0.01
    others = [row for line in (10, 20) for tid, row in rows(measured, line).items() if tid]
    assert others
    assert not any(row.serialT for row in others)


def test_recursion_counts_time_once(program: Program, tmp_path: Path) -> None:
    measured = measure(program("nesting"), "recurse", folder=tmp_path)
    (m,) = rows(measured, 40).values()
    assert m.execC == 10
    assert 0.02 <= m.execT <= measured.duration


def test_recursive_parallel_region(program: Program, tmp_path: Path) -> None:
    measured = measure(program("nesting"), "recurse_parallel", folder=tmp_path)
    assert sum(counts(measured, 70).values()) == 4
    assert counts(measured, 70)[0] == 2


def test_left_open(program: Program, tmp_path: Path) -> None:
    """An exit closes regions left open beneath it; an exit without an enter is ignored."""
    measured = measure(program("nesting"), "left_open", folder=tmp_path)
    assert counts(measured, 50) == counts(measured, 30) == {0: 1}
    assert rows(measured, 30)[0].execT <= rows(measured, 50)[0].execT


def test_changing_team_sizes(program: Program, tmp_path: Path) -> None:
    """Keep a thread number's location when libgomp ends threads and starts new ones."""
    measured = measure(program("nesting"), "sizes", folder=tmp_path)
    assert counts(measured, 60) == {tid: 5 * (8 - tid) for tid in range(8)}
    assert measured.max_threads == 8


def test_without_team(program: Program, tmp_path: Path) -> None:
    measured = measure(program("nesting"), "without_team", folder=tmp_path)
    assert counts(measured, 80) == {0: 1, 1: 1, 2: 1}
    assert total(measured, 80, "startupT") == 0
    assert total(measured, 80, "bodyT") >= 0.015


def test_cancelled(program: Program, tmp_path: Path) -> None:
    """End what a cancelled region leaves open when its team is joined."""
    result = run(program("nesting"), "cancelled", folder=tmp_path, OMP_CANCELLATION="true")
    measured = result.experiment()
    assert counts(measured, 60) == counts(measured, 30) == {0: 2, 1: 2, 2: 2, 3: 2}
    for tid, m in rows(measured, 30).items():
        assert 0.005 <= m.execT <= rows(measured, 60)[tid].execT + 1e-6
    for m in rows(measured, 60).values():
        assert m.execT <= measured.duration - 0.4


def test_too_deep(program: Program, tmp_path: Path) -> None:
    result = run(program("nesting"), "deep", folder=tmp_path)
    assert (result.status, result.stderr) == (0, "")
    measured = result.experiment()
    assert counts(measured, 40) == {0: 300000}
    assert measured.locations[0].dropped == 300000 - (1 << 18)
    assert rows(measured, 40)[0].execT <= measured.duration


@pytest.mark.parametrize("what", ["nested", "recurse_parallel"])
def test_all_is_booked_in_bounds(program: Program, tmp_path: Path, what: str) -> None:
    measured = measure(program("nesting"), what, folder=tmp_path)
    for m in measured.profile.values():
        assert 0 <= m.bodyT <= measured.duration * max(1, m.execC)
