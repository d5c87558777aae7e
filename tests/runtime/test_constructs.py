"""Sums of each construct: counts are exact, times are at least those of the sleeps."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pomp_clang.experiment.model import Experiment
from tests.runtime.conftest import Program
from tests.runtime.harness import COMPILERS, Build, counts, measure, rows, run, total

EVERY_THREAD = {0: 1, 1: 1, 2: 1, 3: 1}


@pytest.fixture(scope="module")
def measured(
    program: Program, build: Build, tmp_path_factory: pytest.TempPathFactory
) -> Experiment:
    return measure(program("constructs"), folder=tmp_path_factory.mktemp("run"))


def test_process(measured: Experiment, build: Build) -> None:
    assert measured.program == "constructs"
    assert measured.command_line[0].endswith("constructs")
    assert measured.complete
    assert measured.openmp_runtime == COMPILERS[build.compiler]
    assert measured.max_threads == 4
    assert measured.processors == os.sysconf("SC_NPROCESSORS_ONLN")
    assert measured.usable_processors is None
    assert measured.duration > 0.1
    assert [location.dropped for location in measured.locations] == [0, 0, 0, 0]


@pytest.mark.parametrize(("policy", "spins"), [("passive", False), ("ACTIVE", True)])
def test_the_policy_of_waiting_threads(
    program: Program, tmp_path: Path, policy: str, spins: bool
) -> None:
    run = measure(program("constructs"), folder=tmp_path, OMP_WAIT_POLICY=policy)
    assert (run.wait_policy, run.may_spin) == (policy, spins)


@pytest.mark.parametrize("bind", ["false", "true"])
def test_a_process_that_is_bound_to_one_processor(
    program: Program, tmp_path: Path, bind: str
) -> None:
    """As mpirun binds it. Threads that OpenMP binds may still use all processors."""
    processors = os.sched_getaffinity(0)
    if len(processors) < 2:
        pytest.skip("one processor: nothing to bind to")
    (tmp_path / "bound").mkdir()
    free = measure(program("constructs"), folder=tmp_path, OMP_PROC_BIND=bind)
    assert free.usable_processors is None
    try:
        os.sched_setaffinity(0, {min(processors)})
        bound = measure(program("constructs"), folder=tmp_path / "bound", OMP_PROC_BIND=bind)
    finally:
        os.sched_setaffinity(0, processors)
    assert (bound.processors, bound.usable_processors) == (free.processors, 1)


@pytest.mark.parametrize("line", [10, 20, 30, 40, 50, 60, 70, 80, 110, 150, 170])
def test_every_thread_once(measured: Experiment, line: int) -> None:
    assert counts(measured, line) == EVERY_THREAD


def test_other_counts(measured: Experiment) -> None:
    assert counts(measured, 90) == {0: 1}
    assert counts(measured, 100) == dict.fromkeys(range(4), 10)
    assert sum(counts(measured, 120).values()) == 4
    assert counts(measured, 130) == counts(measured, 140) == {0: 1}


def test_never_ran(measured: Experiment) -> None:
    (region,) = [r for r in measured.regions if r.begin_line1 == 160]
    assert region.nowait
    assert rows(measured, 160) == {}


def test_kinds_and_order(measured: Experiment) -> None:
    assert [r.id for r in measured.regions] == [f"R{n:05d}" for n in range(1, 18)]
    kinds = {r.begin_line1: r.kind for r in measured.regions}
    assert (kinds[30], kinds[130], kinds[140]) == ("parallel for", "region", "function")


@pytest.mark.parametrize("line", [10, 30])
def test_parallel_parts_add_up(measured: Experiment, line: int) -> None:
    for m in rows(measured, line).values():
        parts = m.startupT + m.bodyT + m.exitBarT + m.shutdwnT
        assert parts <= m.execT + 1e-9
        assert parts == pytest.approx(m.execT, rel=0.5)
        assert m.startupT > 0


@pytest.mark.parametrize("line", [10, 30])
def test_a_barrier_that_is_run_again_is_told_from_the_wait(measured: Experiment, line: int) -> None:
    for row in rows(measured, line).values():
        assert 0 < row.againT <= min(row.exitBarT, row.shutdwnT)


def test_parallel_members_share_fork_and_join(measured: Experiment) -> None:
    times = [m.execT for m in rows(measured, 10).values()]
    assert max(times) - min(times) < 0.5 * max(times)


def test_combined_for(measured: Experiment) -> None:
    threads = rows(measured, 30)
    for tid, m in threads.items():
        assert m.bodyT >= 0.01 * (tid + 1)
    last = max(m.startupT + m.bodyT for m in threads.values())
    for m in threads.values():
        assert m.startupT + m.bodyT + m.exitBarT >= last - 1e-6, "left before the last came"


def test_sections(measured: Experiment) -> None:
    assert total(measured, 40, "bodyC") == 2
    assert total(measured, 40, "bodyT") >= 0.02
    assert total(measured, 50, "bodyC") == 1
    assert total(measured, 50, "bodyT") >= 0.02
    assert total(measured, 50, "exitBarT") > 0


def test_single(measured: Experiment) -> None:
    assert total(measured, 60, "bodyC") == 1
    assert total(measured, 60, "bodyT") >= 0.04
    assert total(measured, 60, "exitBarT") > 0.04


def test_critical(measured: Experiment) -> None:
    assert total(measured, 70, "bodyT") >= 0.08
    assert total(measured, 70, "enterT") >= 0.02
    for m in rows(measured, 70).values():
        assert m.enterT + m.bodyT + m.exitT == pytest.approx(m.execT)


def test_barrier_is_its_own(measured: Experiment) -> None:
    assert total(measured, 80, "execT") >= 0.02
    assert total(measured, 80, "exitBarT") == 0


def test_for(measured: Experiment) -> None:
    assert total(measured, 20, "bodyT") > 0
    assert total(measured, 20, "exitBarT") > 0
    assert total(measured, 170, "exitBarT") == 0
    assert total(measured, 170, "bodyT") >= 0.04
    assert total(measured, 120, "bodyT") >= 0.04


def test_nothing_is_longer_than_the_run(measured: Experiment) -> None:
    for m in measured.profile.values():
        assert m.execT <= measured.duration


def test_default_directory_never_overwrites(program: Program, tmp_path: Path) -> None:
    for n in (1, 2):
        result = run(program("endings"), "work", folder=tmp_path, POMP_EXPERIMENT_DIR="")
        assert result.stderr == ""
        assert result.experiment(f"pomp-endings-{n}").complete
