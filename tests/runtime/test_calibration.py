"""The runtime measures its own events at the start; only their costs show it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pomp_clang.experiment.reader import read
from tests.runtime.conftest import Program
from tests.runtime.harness import PROGRAMS, Build, counts, run

READING = 100e-9
"""Seconds by which the preloaded clock advances with each reading."""
PRICED = 2 * READING / 31
"""The share of an event in the readings before and after one event in 31."""
CLOSE = 5e-9


@pytest.mark.parametrize("tsc", ["0", "1"])
def test_events_are_tried(program: Program, tmp_path: Path, tsc: str) -> None:
    result = run(program("endings"), "work", folder=tmp_path, POMP_TSC=tsc)
    assert result.stderr == ""
    costs = result.experiment().costs
    assert costs is not None
    assert 0 < costs.pair_within < costs.pair < 1e-4
    assert 0 < costs.parallel_within < costs.parallel < 1e-3
    assert 0 <= costs.step < costs.pair * 10
    assert costs.pair < costs.parallel
    assert 0 <= costs.atomic_within <= costs.atomic < 1e-4
    assert 0 < costs.creation < 1e-4
    assert 0 < costs.task_within < costs.task < 1e-4
    assert 0 < costs.wait_within < costs.wait < 1e-4


def test_criticals_are_tried_by_the_first(program: Program, tmp_path: Path) -> None:
    """Measure in the program's own OpenMP runtime, which is not started for that."""
    without = run(program("endings"), "work", folder=tmp_path, POMP_EXPERIMENT_DIR="without")
    costs = without.experiment("without").costs
    assert costs is not None
    assert costs.critical == 0
    costs = run(program("constructs"), folder=tmp_path).experiment().costs
    assert costs is not None
    assert 0 <= costs.critical_within <= costs.critical < 1e-4
    assert costs.critical > 0


def test_an_atomic_update_is_tried_to_its_end(program: Program, tmp_path: Path) -> None:
    """A processor reads its counter before earlier updates are done. A loop that is long enough
    shows their price, of which such a trial sees a quarter. The trial is short: where another thread
    uses the core for all of it, it shows more. Of several runs, one has less of that."""
    ratios = []
    for _ in range(12):
        result = run(program("updates"), folder=tmp_path)
        costs = result.experiment().costs
        assert costs is not None
        ratios.append(costs.atomic_bare / float(result.stdout))
        if 0.67 < ratios[-1] < 3:
            return
    pytest.fail(f"the trial's price over the loop's: {ratios}")


def test_the_trial_is_no_part_of_the_profile(program: Program, tmp_path: Path) -> None:
    measured = run(program("endings"), "work", folder=tmp_path).experiment()
    assert len(measured.locations) == 1
    assert {region.begin_line1 for region in measured.regions} <= {10, 20, 30, 40}
    assert counts(measured, 40) == {0: 1}
    assert {region.sub_name for region in measured.regions} == {"", "main", "work"}
    assert len(measured.callpaths) == 1


def test_children_have_the_costs_too(program: Program, tmp_path: Path) -> None:
    run(program("endings"), "children", "2", "1", folder=tmp_path)
    children = sorted(tmp_path.glob("exp.*"))
    assert children
    assert all(read(str(child)).costs for child in children)


def test_prices_exclude_the_surplus_of_their_own_readings(
    gcc_or_clang: Build, tmp_path: Path
) -> None:
    """By a clock that only its readings advance, each event of tasks costs its own reading."""
    program = gcc_or_clang.compile("tasks.c", tmp_path / "tasks")
    clock = tmp_path / "clock.so"
    source = PROGRAMS / "counted_clock.c"
    command = [gcc_or_clang.compiler, "-O1", "-shared", "-fPIC", str(source), "-o", str(clock)]
    subprocess.run(command, check=True)
    settings = {"LD_PRELOAD": str(clock), "POMP_TSC": "0", "OMP_NUM_THREADS": "1"}
    costs = run(program, "fibonacci", "1", folder=tmp_path, **settings).experiment().costs
    assert costs is not None
    assert costs.pair == pytest.approx(2 * READING, abs=CLOSE)
    assert costs.parallel == pytest.approx(4 * (READING + PRICED), abs=CLOSE)
    assert costs.creation == pytest.approx(2 * READING + 4 * PRICED, abs=CLOSE)
    assert costs.task == pytest.approx(2 * READING + 2 * PRICED, abs=CLOSE)
    assert costs.wait == pytest.approx(2 * READING + 4 * PRICED, abs=CLOSE)
