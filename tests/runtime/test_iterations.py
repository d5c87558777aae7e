"""The iterations of loops: each is counted, in a bounded number of bins by the loop variable."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.experiment.model import Experiment, LoopIterations
from pomp_clang.experiment.reader import read
from tests.runtime.conftest import Program
from tests.runtime.harness import measure, run

BINS = 2048


@pytest.fixture(scope="module")
def measured(program: Program, tmp_path_factory: pytest.TempPathFactory) -> Experiment:
    return measure(program("iterations"), folder=tmp_path_factory.mktemp("run"))


def parts(experiment: Experiment, line: int) -> list[LoopIterations]:
    ids = {region.id for region in experiment.regions if region.begin_line1 == line}
    return [part for part in experiment.iterations if part.region in ids]


def number(part: LoopIterations) -> int:
    return sum(count for _, count, _ in part.bins)


def test_executions_are_recorded_whose_number_is_a_power_of_two(measured: Experiment) -> None:
    recorded = parts(measured, 10)
    assert [part.execution for part in recorded] == [1, 2, 4, 8, 16, 32, 64, 128]
    for part in recorded:
        assert [(value, count) for value, count, _ in part.bins] == [(i, 1) for i in range(5)]
        assert part.width == 1 and not part.descends
        assert part.end is not None and 0 < part.begin <= part.end <= measured.duration
        assert sum(seconds for _, _, seconds in part.bins) <= part.end - part.begin


def test_a_loop_that_counts_down_fills_merged_bins(measured: Experiment) -> None:
    (part,) = parts(measured, 20)
    assert number(part) == len(range(100000, 0, -3))
    assert part.descends
    assert 64 <= part.width <= 256
    assert len(part.bins) <= BINS
    values = [value for value, _, _ in part.bins]
    assert values == sorted(values) and values[0] <= 1 and values[-1] <= 100000


def test_values_may_be_as_far_apart_as_there_are(measured: Experiment) -> None:
    (part,) = parts(measured, 30)
    assert number(part) == 5
    assert part.bins[0][0] == -(1 << 63)
    assert len(part.bins) >= 3


def test_a_loop_in_an_iteration_is_its_own_and_the_same_loop_is_not(measured: Experiment) -> None:
    assert [number(part) for part in parts(measured, 50)] == [4, 4]
    assert [number(part) for part in parts(measured, 40)] == [3]


def test_a_team_has_each_iteration_once(measured: Experiment) -> None:
    team = parts(measured, 70)
    assert [part.tid for part in team] == [0, 1, 2, 3]
    assert sum(map(number, team)) == 5000


def test_a_child_begins_anew(program: Program, tmp_path: Path) -> None:
    run(program("iterations"), "child", folder=tmp_path)
    own, *forked = sorted(tmp_path.iterdir())
    assert [part.execution for part in parts(read(str(own)), 10)][-1] == 128
    (child,) = parts(read(str(forked[0])), 10)
    assert (child.execution, number(child)) == (1, 7)


def test_a_setting_turns_the_recording_off(program: Program, tmp_path: Path) -> None:
    assert measure(program("iterations"), folder=tmp_path, POMP_ITERATIONS="0").iterations == ()
