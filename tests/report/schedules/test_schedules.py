"""Predicted schedules in words and JSON; the filter that a first run writes; what is tried."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pomp_clang.analysis.schedules.loop_costs import ASSUMED, ChunkCost, measure_chunk_cost
from pomp_clang.analysis.schedules.predict import LoopPrediction, SchedulePrediction, result
from pomp_clang.analysis.schedules.schedule import Schedule
from pomp_clang.experiment.model import Measured
from pomp_clang.report.schedule_predictions import as_filter, as_json, as_text, waiting_loops
from pomp_clang.report.schedule_trials import schedules_to_try
from pomp_clang.report.terminal import Terminal
from pomp_clang.selection.filter import FilterSubject, parse_filter, selects
from tests import handmade

DOCS = Path(__file__).parents[3] / "docs" / "reference" / "verbs"
REGION = handmade.region("R00001", "parallel for", 19, 25, file="/src/my pairs.c")


def loop(
    ran: float, *times: tuple[Schedule, float], current: Schedule | None = None
) -> LoopPrediction:
    predictions = tuple(SchedulePrediction(schedule, seconds) for schedule, seconds in times)
    return LoopPrediction(REGION, 2, 10, 4, 100.0, current, ran, predictions, (), ())


DYNAMIC, CYCLIC, STATIC = Schedule("dynamic", 16), Schedule("static", 1), Schedule("static")
TRIANGLE = loop(2.02, (DYNAMIC, 1.31), (CYCLIC, 1.38), (STATIC, 2.01), current=STATIC)


def test_the_result_is_one_sentence() -> None:
    assert result(TRIANGLE) == (
        "schedule(dynamic, 16) would take 1.31 s instead of 2.02 s (-35 %); static,1 1.38 s"
    )


def test_a_gain_below_two_percent_is_none() -> None:
    assert result(loop(1.0, (DYNAMIC, 0.985))) == "no schedule would save 2 % or more of 1.00 s"


def test_text_marks_the_schedule_of_the_source_and_an_assumed_cost() -> None:
    experiment = handmade.experiment([REGION], {})
    lines = as_text(experiment, [TRIANGLE], ASSUMED, Terminal())
    assert any("assumed: no compiler" in line for line in lines)
    assert any(re.match(r" *static \* +2\.01 s +0 %", line) for line in lines)
    assert "  * the schedule of the source" in lines


def test_every_key_of_json_is_documented() -> None:
    document = as_json(handmade.experiment([REGION], {}), [TRIANGLE], ChunkCost(1e-7, 1e-8))
    text = (DOCS / "schedules.md").read_text()
    (loop,) = document["loops"]
    assert loop["sentence"] == result(TRIANGLE)
    for key in {*document, *loop, *loop["schedules"][0], *document["chunk_cost"]} - {"format"}:
        assert f"`{key}`" in text, key


def test_the_filter_records_the_loops_in_which_threads_wait() -> None:
    other = handmade.region("R00002", "for", 40)
    barrier = handmade.region("R00003", "barrier", 50)
    profile = {
        ("R00001", 0): Measured(execC=1, bodyT=1.0, exitBarT=1.0),
        ("R00001", 1): Measured(execC=1, bodyT=2.0),
        ("R00002", 0): Measured(execC=1, bodyT=1.0, exitBarT=0.001),
        ("R00003", 0): Measured(execC=1, exitBarT=3.0),
    }
    experiment = handmade.experiment([REGION, other, barrier], profile, threads=2)
    actual = waiting_loops(experiment, 5)
    assert [(one.region.id, one.seconds) for one in actual] == [("R00001", 1.0)]
    rules = parse_filter("x", as_filter(actual, sets_schedule=True))
    named = FilterSubject("parallel for", ("",), "", ("main",), "/src/my pairs.c", 19)
    assert selects(rules.iterations, named) and selects(rules.runtime_schedules, named)
    assert not parse_filter("x", as_filter(actual, sets_schedule=False)).runtime_schedules


def test_a_kind_is_tried_before_a_second_of_the_best_kind() -> None:
    many = loop(
        2.0, (DYNAMIC, 1.0), (Schedule("dynamic", 4), 1.1), (CYCLIC, 1.2), (STATIC, 2.0),
        current=Schedule("guided", 1),
    )  # fmt: skip
    candidates = [schedule.words() for schedule in schedules_to_try(many, 5)]
    assert candidates == ["static", "guided,1", "dynamic,16", "static,1", "dynamic,4"]
    assert schedules_to_try(many, 5, [CYCLIC]) == [CYCLIC]


def test_the_cost_of_a_chunk_without_a_compiler_is_assumed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert measure_chunk_cost("another") == ASSUMED
    monkeypatch.setenv("PATH", "")
    assert measure_chunk_cost("libgomp") == ASSUMED
