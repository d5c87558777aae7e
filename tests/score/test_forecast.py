"""The cost of measuring functions, calculated by hand, and the filters derived from it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pomp_clang.cli import score as verb
from pomp_clang.experiment.model import EventCosts, Experiment, Location, Measured
from pomp_clang.report.output import terminal_for
from pomp_clang.score import write_score
from pomp_clang.score.forecast import (
    CONSTRUCT_MOST,
    FUNCTION_MOST,
    Score,
    construct_positions,
    score,
)
from pomp_clang.score.write_score import as_filter, excluded_by
from pomp_clang.selection.filter import parse_filter, read_filter
from tests.handmade import call_paths, experiment, region

COSTS = EventCosts(1e-3, 0.0, 0.0, 0.0, 0.0)


def run(costs: EventCosts | None = COSTS) -> Experiment:
    """Return a run of one thread, 10 s: `tiny` is called 2000 times by `solve` and 1000 times by
    its overload.
    """
    regions = (
        region("R1", "function", 1, sub_name="main"),
        region("R2", "function", 10, sub_name="solve"),
        region("R3", "function", 20, sub_name="ns::operator*"),
        region("R4", "function", 30, sub_name="ns::operator*"),
        region("R5", "critical", 40),
        region("R6", "function", 50, sub_name="never called"),
    )
    paths = call_paths("R1\n  R2\n    R3\n    R4\n    R5")
    seen = {
        "R1": Measured(execC=1, execT=10.0),
        "R2": Measured(execC=10, execT=8.0),
        "R3": Measured(execC=2000, execT=0.2),
        "R4": Measured(execC=1000, execT=0.1),
        "R5": Measured(execC=100, execT=0.5, bodyC=100, bodyT=0.5),
    }
    return experiment(
        regions,
        {(name, 0): measured for name, measured in seen.items()},
        threads=1,
        duration=10.0,
        callpaths=paths,
        callpath_profile={(path.id, 0): seen[path.region] for path in paths},
        costs=costs,
    )


def scored() -> Score:
    result = score(run())
    assert result is not None
    return result


def test_functions_of_a_name_are_one_and_the_costliest_is_first() -> None:
    names = [
        (function.name, function.visits, len(function.regions)) for function in scored().functions
    ]
    assert names == [("ns::operator*", 3000, 2), ("solve", 10, 1), ("main", 1, 1)]


def test_cost_is_that_of_the_events_over_the_time_without_them() -> None:
    actual = scored()
    assert actual.seconds == pytest.approx(10.0 - 3.111)
    assert actual.functions[0].cost == pytest.approx(3.0)
    assert actual.forecast().overhead == pytest.approx(3.111 / 6.889)
    assert actual.forecast({"ns::operator*"}).overhead == pytest.approx(0.111 / 6.889)
    assert [(construct.key, construct.cost) for construct in actual.constructs] == [
        ("critical R5", pytest.approx(0.1))
    ]
    assert actual.forecast({"critical R5"}).overhead == pytest.approx(3.011 / 6.889)


def test_the_trace_has_two_events_a_visit() -> None:
    actual = scored()
    without = actual.forecast({"ns::operator*"})
    assert actual.forecast().trace - without.trace == 3000 * 2 * 8
    assert without.trace - actual.forecast({"ns::operator*", "solve", "main"}).trace == 11 * 2 * 8


def test_what_is_explained_is_of_all_inclusive_time() -> None:
    actual = scored()
    times = {function.name: function.inclusive for function in actual.functions}
    share = actual.forecast({"ns::operator*"}).explained
    assert share == pytest.approx(1 - times["ns::operator*"] / sum(times.values()))


def test_a_budget_takes_what_costs_most_of_what_it_shows() -> None:
    actual = scored()
    assert actual.within(4.0) == frozenset()
    assert actual.within(0.11) == {"ns::operator*"}
    assert actual.within(0.11, {"main"}) == {"main", "ns::operator*"}


def test_constructs_are_left_out_where_functions_are_not_enough() -> None:
    actual = scored()
    functions = {"ns::operator*", "solve", "main"}
    assert actual.within(0.095) == functions - {"main"}
    assert actual.forecast(actual.within(0.0)).overhead == 0


def test_functions_that_fit_stay_when_a_construct_does_not() -> None:
    actual = scored()
    assert actual.within(0.015) == {"ns::operator*", "critical R5"}
    assert actual.within(0.002) == {"ns::operator*", "solve", "critical R5"}


def test_a_budget_holds_for_the_most_that_measuring_may_cost() -> None:
    actual = scored()
    lost = FUNCTION_MOST * 3.011 + CONSTRUCT_MOST * 0.1
    assert actual.least == pytest.approx(10.0 - lost)
    most = lost / actual.least
    assert actual.forecast().most == pytest.approx(most)
    assert actual.within(most - 1e-6) == {"ns::operator*"}


def test_a_thread_with_all_events_makes_the_run_longer_by_all_of_their_cost() -> None:
    idle = replace(run(), max_threads=4, locations=tuple(Location(tid, 0) for tid in range(4)))
    actual, alone = score(idle), scored()
    assert actual is not None
    assert actual.forecast().overhead < alone.forecast().overhead / 4
    lost = FUNCTION_MOST * 3.011 + CONSTRUCT_MOST * 0.1
    assert actual.forecast().most == pytest.approx(lost / (10.0 - lost / 4))


def test_an_eighth_of_the_estimated_time_is_certain() -> None:
    actual = score(run(replace(COSTS, pair=2.5e-3)))
    assert actual is not None
    assert actual.least == pytest.approx((10.0 - 2.5 * 3.111) / 8)


def test_time_of_other_programs_is_not_the_time_of_this_one() -> None:
    disturbed = replace(run(), duration=16.0, locations=(Location(0, 0, 10.0, 6.0),))
    actual = score(disturbed)
    assert actual is not None
    assert actual.seconds == pytest.approx(scored().seconds)
    assert actual.queued == pytest.approx(6 / 16)
    text = " ".join(write_score.as_text(actual, (), 1, terminal_for(None, "never")))
    assert "waited for a processor for 37.5 % of their time" in " ".join(text.split())


def test_an_atomic_costs_at_most_its_wait_for_memory() -> None:
    costs = EventCosts(0.0, 0.0, 0.0, 0.0, 0.0, atomic=1e-3, atomic_within=1e-3, atomic_bare=1e-3)
    seen, paths = Measured(execC=100, execT=0.5), call_paths("R1")
    alone = experiment(
        (region("R1", "atomic", 1),),
        {("R1", 0): seen},
        threads=1,
        callpaths=paths,
        callpath_profile={(paths[0].id, 0): seen},
        costs=costs,
    )
    actual = score(alone)
    assert actual is not None
    assert actual.constructs[0].cost == pytest.approx(0.1)
    assert actual.constructs[0].most == (pytest.approx(0.1 + 0.5 - 0.2),)


def test_a_known_duration_tells_what_the_events_cost() -> None:
    actual = score(run(), duration=4.0)
    assert actual is not None
    assert actual.forecast().overhead == pytest.approx(6.0 / 4.0)
    assert actual.forecast().most == pytest.approx(6.0 / 4.0)
    assert actual.functions[0].cost == pytest.approx(3.0 * 6.0 / 3.111)


def test_the_filter_leaves_out_just_these(tmp_path: Path) -> None:
    actual = scored()
    left_out = actual.within(0.05)
    path = tmp_path / "some.filter"
    path.write_text(as_filter(actual, left_out, actual.forecast(left_out)))
    assert r"EXCLUDE ns::operator\*  # 3000 visits" in path.read_text()
    assert excluded_by(read_filter(str(path)), actual) == left_out


def test_the_filter_leaves_out_the_same_in_another_copy_of_the_sources() -> None:
    here, there = scored_in("/here/src"), scored_in("/elsewhere")
    text = as_filter(here, {"critical R5"}, here.forecast({"critical R5"}))
    assert excluded_by(parse_filter("x", text), there) == {"critical R5"}


def scored_in(folder: str) -> Score:
    regions = tuple(replace(one, file=f"{folder}/{one.file}") for one in run().regions)
    result = score(replace(run(), regions=regions))
    assert result is not None
    return result


@pytest.fixture
def invoke(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setattr(write_score, "experiment_at", lambda _: run())

    def run_(*args: str) -> Result:
        return CliRunner().invoke(verb.command, args)

    return run_


def test_the_verb_writes_the_filter_and_says_what_it_meets(invoke, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "my.filter"
    result = invoke("--budget", "11%", "-o", str(path))
    assert result.exit_code == 0
    assert "As measured: 3 functions, 1 construct, overhead 45.2 % (at most 340.0 %), trace " in (
        result.output
    )
    assert "As selected: 2 functions, 1 construct, overhead 1.6 % (at most 10.0 %), trace " in (
        result.output
    )
    assert "tell --duration=SECONDS" in result.output
    again = json.loads(invoke("--pomp-filter", str(path), "--format", "json").output)
    assert again["selected"]["functions"] == 2
    assert [f["selected"] for f in again["functions"]] == [False, True, True]


def test_a_second_filter_keeps_the_rules_of_the_first(invoke, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    first, second = tmp_path / "first.filter", tmp_path / "second.filter"
    first.write_text("SCOREP_REGION_NAMES_BEGIN EXCLUDE not_measured SCOREP_REGION_NAMES_END\n")
    result = invoke("--budget", "11%", "--pomp-filter", str(first), "-o", str(second))
    assert result.exit_code == 0
    rules = read_filter(str(second))
    assert excluded_by(rules, scored()) == {"ns::operator*"}
    assert second.read_text().startswith(first.read_text())


@pytest.mark.parametrize("budget", ["much", "-3%", "nan"])
def test_a_budget_that_is_none_is_refused(invoke, budget: str) -> None:  # type: ignore[no-untyped-def]
    result = invoke(f"--budget={budget}")
    assert result.exit_code == 2
    assert "is no share; write 3%" in result.output


def test_a_run_without_costs_cannot_be_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_score, "experiment_at", lambda _: run(costs=None))
    result = CliRunner().invoke(verb.command, [])
    assert result.exit_code == 1
    assert "does not say what an event cost" in result.output


@pytest.mark.parametrize(
    ("rule", "left_out"),
    [
        ("EXCLUDE construct=critical", {"critical R5"}),
        ("EXCLUDE construct=sync", {"critical R5"}),
        ("EXCLUDE lines=40", {"critical R5"}),
        ("EXCLUDE function=main construct=critical nth=1", {"critical R5"}),
        ("EXCLUDE function=main construct=critical nth=2", set()),
        ("EXCLUDE name=other construct=critical", set()),
        ("EXCLUDE construct=function name=solve", {"solve"}),
        ("EXCLUDE name~^ns\nINCLUDE lines=30", set()),
    ],
)
def test_the_forecast_knows_rules_of_our_own(tmp_path: Path, rule: str, left_out: set[str]) -> None:
    path = tmp_path / "some.filter"
    path.write_text(f"POMP_RULES_BEGIN\n{rule}\nPOMP_RULES_END\n")
    assert excluded_by(read_filter(str(path)), scored()) == left_out


def test_constructs_are_counted_in_the_innermost_function_that_was_measured() -> None:
    regions = (
        region("R1", "function", 1, 30, end_lineN=30, sub_name="main"),
        region("R2", "atomic", 3),
        region("R3", "function", 5, 10, end_lineN=10, sub_name="main::{lambda}"),
        region("R4", "atomic", 6),
        region("R5", "atomic", 8),
        region("R6", "critical", 9),
        region("R7", "atomic", 12),
        region("R8", "atomic", 40, function="other"),
    )
    actual = {
        name: (spot.functions, spot.nth) for name, spot in construct_positions(regions).items()
    }
    inner = ("main::{lambda}", "main")
    assert actual == {
        "R2": (("main",), 1),
        "R4": (inner, 1),
        "R5": (inner, 2),
        "R6": (inner, 1),
        "R7": (("main",), 2),
        "R8": (("other",), 1),
    }
