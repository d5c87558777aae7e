"""Predictions from recorded iterations made by hand."""

from __future__ import annotations

import pytest

from pomp_clang.analysis.schedules.loop_costs import ChunkCost, executions
from pomp_clang.analysis.schedules.predict import predict_loops
from pomp_clang.analysis.schedules.schedule import Schedule
from pomp_clang.experiment.model import EventCosts, Experiment, LoopIterations, Measured
from tests import handmade

FREE = ChunkCost(0.0, 0.0)
STEP = 0.25


def part(
    tid: int,
    bins: tuple[tuple[int, int, float], ...],
    execution: int = 1,
    descends: bool = False,
    left: bool = True,
) -> LoopIterations:
    return LoopIterations("R00001", tid, execution, 0.0, 1.0 if left else None, 1, descends, bins)


def run(*parts: LoopIterations, times: int = 1, step: float = 0.0) -> Experiment:
    loop = handmade.region("R00001", "parallel for", 3, 5)
    costs = EventCosts(0.0, 0.0, step, 0.0, 0.0)
    profile = {("R00001", tid): Measured(execC=times) for tid in (0, 1)}
    return handmade.experiment([loop], profile, threads=2, iterations=parts, costs=costs)


HALVES = (part(0, ((0, 1, 1.0), (1, 1, 2.0))), part(1, ((2, 1, 3.0), (3, 1, 4.0))))


def test_bins_of_the_threads_stand_in_the_order_of_the_values() -> None:
    (execution,) = executions(
        run(part(1, ((0, 1, 1.0), (2, 1, 3.0))), part(0, ((1, 1, 2.0),))), "R00001"
    )
    assert execution.values.tolist() == [0, 1, 2]
    assert execution.seconds.tolist() == [1.0, 2.0, 3.0]
    assert execution.busy == (2.0, 4.0)


def test_a_loop_that_counts_down_begins_with_the_greatest_value() -> None:
    (execution,) = executions(run(part(0, ((1, 1, 1.0), (2, 1, 2.0)), descends=True)), "R00001")
    assert execution.values.tolist() == [2, 1]


def test_the_cost_of_events_is_taken_out() -> None:
    (execution,) = executions(run(part(0, ((0, 2, 1.0), (1, 4, 0.5))), step=STEP), "R00001")
    assert execution.seconds.tolist() == [0.5, 0.0]
    assert execution.busy == (0.5,)


def test_an_execution_stands_for_those_up_to_the_next_recorded_one() -> None:
    parts = [part(0, ((0, 1, 1.0),), execution=number) for number in (1, 2, 4)]
    weights = [
        (execution.number, execution.weight)
        for execution in executions(run(*parts, times=10), "R00001")
    ]
    assert weights == [(1, 1), (2, 2), (4, 7)]


def test_an_execution_that_a_thread_did_not_leave_is_no_evidence() -> None:
    parts = (part(0, ((0, 1, 1.0),)), part(1, ((1, 1, 1.0),), left=False))
    assert predict_loops(run(*parts), FREE) == ()


def test_the_best_schedule_comes_first_with_its_gain() -> None:
    (loop,) = predict_loops(run(*HALVES), FREE, thread_numbers=(1, 4))
    assert (loop.measured, loop.threads, loop.iterations) == (7.0, 2, 4)
    static = loop.of(Schedule("static"))
    assert static is not None and static.seconds == 7.0
    assert (
        loop.best.seconds
        == loop.by_schedule[0].seconds
        == min(one.seconds for one in loop.by_schedule)
    )
    assert loop.gain == pytest.approx(7.0 - loop.best.seconds) and loop.gain > 0
    assert [(by.threads, by.best.seconds) for by in loop.by_threads] == [(1, 10), (2, 6), (4, 4)]


def test_of_schedules_that_take_as_long_the_simplest_is_best() -> None:
    even = (part(0, ((0, 8, 1.0), (8, 8, 1.0))), part(1, ((16, 8, 1.0), (24, 8, 1.0))))
    (loop,) = predict_loops(run(*even), FREE)
    assert loop.best.schedule == Schedule("static")
    assert loop.gain == 0.0


def test_the_picture_has_a_bounded_number_of_bins() -> None:
    many = tuple((value, 1, 1.0) for value in range(2000))
    (loop,) = predict_loops(run(part(0, many), part(1, ((2000, 1, 1.0),))), FREE)
    assert len(loop.bins) <= 256
    assert sum(one.iterations for one in loop.bins) == 2001
    assert sum(one.seconds for one in loop.bins) == pytest.approx(2001)
