"""The time of a loop under a schedule, for costs whose result is known."""

from __future__ import annotations

import pytest

from pomp_clang.analysis.schedules.loop_costs import ChunkCost, CostCurve, curve_of, loop_time
from pomp_clang.analysis.schedules.schedule import Schedule, candidates, of_clauses

FREE = ChunkCost(0.0, 0.0)
RISING = [float(i) for i in range(1, 9)]


def curve(*costs: float) -> CostCurve:
    return curve_of([1] * len(costs), costs)


@pytest.mark.parametrize(
    ("schedule", "threads", "seconds"),
    [
        (Schedule("static"), 2, 5 + 6 + 7 + 8),
        (Schedule("static"), 3, 7 + 8),
        (Schedule("static", 1), 2, 2 + 4 + 6 + 8),
        (Schedule("static", 2), 2, 3 + 4 + 7 + 8),
        (Schedule("static", 100), 2, 36),
        (Schedule("dynamic", 1), 2, 2 + 4 + 6 + 8),
        (Schedule("dynamic", 4), 2, 26),
        (Schedule("dynamic", 1), 8, 8),
        (Schedule("guided", 1), 1, 36),
        (Schedule("guided", 1), 2, 5 + 6 + 8),
    ],
)
def test_chunks_are_handed_out_as_by_the_schedule(
    schedule: Schedule, threads: int, seconds: float
) -> None:
    assert loop_time(curve(*RISING), schedule, threads, FREE) == pytest.approx(seconds)


def test_static_gives_the_remainder_to_the_first_threads() -> None:
    assert loop_time(curve(1, 1, 1, 1, 1), Schedule("static"), 4, FREE) == 2


def test_guided_chunks_of_libomp_are_half_of_those_of_libgomp() -> None:
    costs = curve(*[1.0] * 16)
    cost = ChunkCost(100.0, 0.0)
    gomp = loop_time(costs, Schedule("guided", 1), 1, cost, "libgomp")
    omp = loop_time(costs, Schedule("guided", 1), 1, cost, "libomp")
    assert gomp == pytest.approx(16 + 100)
    assert omp > 16 + 400


def test_each_chunk_costs_its_thread() -> None:
    cost = ChunkCost(0.5, 0.0)
    assert loop_time(curve(*[1.0] * 8), Schedule("dynamic", 2), 2, cost) == pytest.approx(5)


def test_threads_take_chunks_one_after_the_other() -> None:
    cost = ChunkCost(0.0, 1.0)
    assert loop_time(curve(*[0.0] * 8), Schedule("dynamic", 1), 4, cost) == pytest.approx(7)


def test_many_chunks_cost_as_much_as_if_handed_out_one_by_one() -> None:
    costs = curve_of([1_000_000], [1.0])
    cost = ChunkCost(1e-6, 0.0)
    seconds = loop_time(costs, Schedule("dynamic", 1), 2, cost)
    assert seconds == pytest.approx((1.0 + 1_000_000 * 1e-6) / 2, rel=0.01)


def test_iterations_of_a_bin_cost_the_same() -> None:
    costs = curve_of([10, 10], [1.0, 3.0])
    assert loop_time(costs, Schedule("static"), 2, FREE) == pytest.approx(3.0)
    assert loop_time(costs, Schedule("static", 5), 2, FREE) == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("clauses", "schedule"),
    [
        ("", Schedule("static")),
        ("nowait schedule(static, 4)", Schedule("static", 4)),
        ("schedule ( nonmonotonic : dynamic )", Schedule("dynamic", 1)),
        ("schedule(guided,8) private(x)", Schedule("guided", 8)),
        ("schedule(dynamic, CHUNK)", None),
        ("schedule(runtime)", None),
        ("schedule(auto)", None),
    ],
)
def test_the_clause_names_the_schedule(clauses: str, schedule: Schedule | None) -> None:
    assert of_clauses(clauses) == schedule


def test_each_thread_gets_two_chunks_of_the_schedules_that_are_tried() -> None:
    kinds = list(candidates(40, 2))
    assert Schedule("dynamic", 4) in kinds
    assert Schedule("dynamic", 16) not in kinds
    assert Schedule("static", 1) in list(candidates(1, 64))
