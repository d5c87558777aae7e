"""Waits for locks, criticals and order: what the OpenMP runtime tells of them is taken where it
tells of barriers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.barriers.harness import LATE, MODES, Construct, RunResult, build, library, run

HELD: tuple[Construct, ...] = (
    ("critical", "by_critical"),
    ("ordered", "by_order"),
    ("lock", "by_lock"),
    ("lock", "by_nest_lock"),
)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folders = {mode: tmp_path_factory.mktemp(mode) for mode in MODES}
    return {m: build(f, "held.c", f"--pomp-barriers={m}") for m, f in folders.items()}


@pytest.fixture(scope="module")
def both(
    programs: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, RunResult]:
    return {m: run(p, tmp_path_factory.mktemp("ran")) for m, p in programs.items()}


@pytest.fixture(scope="module")
def late(
    programs: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, RunResult]:
    """Run the programs with a library that makes each waiting call return LATE."""
    before = {"LD_PRELOAD": library(tmp_path_factory.mktemp("late"), "late_return.c")}
    return {m: run(p, tmp_path_factory.mktemp("ran"), **before) for m, p in programs.items()}


@pytest.mark.parametrize("mode", MODES)
def test_counts(both: dict[str, RunResult], mode: str) -> None:
    for construct in (*HELD, ("lock", "by_test"), ("atomic", "at_once")):
        assert both[mode].total(construct, "execC") == 2


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("construct", HELD, ids="-".join)
def test_the_one_that_waits_waits_as_long_as_it_is_held(
    both: dict[str, RunResult], mode: str, construct: Construct
) -> None:
    result = both[mode]
    assert result.total(construct, "enterT") >= 0.7 * LATE
    assert result.total(construct, "bodyT") >= 0.9 * LATE
    for m in result.rows(construct):
        assert m.enterT + m.bodyT + m.exitT == pytest.approx(m.execT, abs=1e-5)


@pytest.mark.parametrize("mode", MODES)
def test_a_lock_that_is_not_to_be_had_is_not_held(both: dict[str, RunResult], mode: str) -> None:
    held = [m.bodyT >= 0.9 * LATE for m in both[mode].rows(("lock", "by_test"))]
    assert sorted(held) == [False, True]


@pytest.mark.parametrize("construct", HELD, ids="-".join)
def test_the_wait_ends_when_the_runtime_says_so(
    late: dict[str, RunResult], construct: Construct
) -> None:
    """The first thread waits for no other; without the runtime's report, its late return counts as
    waiting.
    """
    assert min(m.enterT for m in late["explicit"].rows(construct)) >= 0.9 * LATE
    assert min(m.enterT for m in late["ompt"].rows(construct)) < 0.5 * LATE
    assert min(m.bodyT for m in late["ompt"].rows(construct)) >= 0.9 * LATE
