"""The conditions of a run are the same in every output."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pomp_clang.analysis.perturbation import perturbation
from pomp_clang.analysis.run import analyze_run
from pomp_clang.experiment.model import (
    EventCosts,
    Experiment,
    Location,
    Measured,
    MpiCalls,
    MpiProfile,
)
from pomp_clang.report.comparison_phrases import comparison_notes
from pomp_clang.report.html import profile as page
from pomp_clang.report.json import profile as document
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from pomp_clang.report.run_conditions import ConditionKind, run_conditions
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text import profile as text
from tests.analysis.test_perturbation import updates
from tests.handmade import call_paths, experiment, region


def test_threads_in_a_queue_for_a_processor_are_a_condition_unless_the_run_has_too_many() -> None:
    rows = {("R1", tid): Measured(1, 4.0, 1, 4.0) for tid in range(2)}
    run = experiment([region("R1", "parallel", 3)], rows, threads=2, duration=4.0)
    locations = tuple(Location(tid, 0, ranT=3.0, queuedT=0.5 + tid) for tid in range(2))
    busy = analyze_run(replace(run, processors=2, locations=locations))
    (condition,) = run_conditions(busy)
    assert condition.condition is ConditionKind.NO_PROCESSOR
    assert condition.text.startswith("Threads waited for a processor for 25.0 % of their time: ")
    crowded = analyze_run(replace(run, processors=1, locations=locations))
    assert [noted.condition for noted in run_conditions(crowded)] == [
        ConditionKind.OVERSUBSCRIPTION,
        ConditionKind.NO_PROCESSOR,
    ]
    assert "they slept" in run_conditions(crowded)[1].text
    unknown = tuple(replace(location, queuedT=None) for location in locations)
    (condition,) = run_conditions(analyze_run(replace(run, processors=2, locations=unknown)))
    assert "they slept" in condition.text


NESTED = [region(name, "parallel", line) for line, name in enumerate(("R1", "R2", "R3"), 1)]
ROW = Measured(1, 1.0, 1, 1.0)
OF_POOL = {("C00001", 0): replace(ROW, serialT=1.0), ("C00001", 1): ROW}
OF_NESTED_TEAM = {("C00002", 0): ROW, ("C00003", 0): ROW, ("C00003", 2): ROW}


@pytest.mark.parametrize(
    ("rows", "wait_policy", "at_once"),
    [
        (OF_POOL | OF_NESTED_TEAM, "", 2),
        (OF_POOL | OF_NESTED_TEAM, "passive", 2),
        (OF_POOL | OF_NESTED_TEAM, "ACTIVE", 2),
        (OF_POOL | OF_NESTED_TEAM | {("C00003", 1): ROW}, "", 3),
        (OF_POOL | {("C00002", 2): replace(ROW, serialT=1.0)}, "", 3),
        ({("C00001", 0): ROW, ("C00001", 1): ROW, ("C00001", 2): ROW}, "", 3),
    ],
    ids=["other-threads", "passive", "spinning", "all-nested", "two-masters", "unknown-masters"],
)
def test_threads_of_a_nested_team_in_place_of_the_pool_make_no_oversubscription(
    rows: dict[tuple[str, int], Measured], wait_policy: str, at_once: int
) -> None:
    run = experiment(NESTED, {("R1", 0): ROW}, threads=3, duration=4.0)
    paths = call_paths("R1\nR2\n  R3")
    run = replace(run, callpaths=paths, callpath_profile=rows, wait_policy=wait_policy)
    run = replace(run, processors=2)
    assert run.threads_at_once == at_once
    conditions = [noted.condition for noted in run_conditions(analyze_run(run))]
    is_oversubscribed = at_once > 2 or wait_policy == "ACTIVE"
    assert (ConditionKind.OVERSUBSCRIPTION in conditions) == is_oversubscribed
    heading = text.render(profile_report(run), Options(), Terminal()).splitlines()[0]
    assert heading.endswith(
        "with 3 threads on 2 processors"
        if at_once == 3
        else "with 3 threads (2 at a time) on 2 processors"
    )


def test_a_process_that_is_bound_to_fewer_processors_than_it_has_threads_is_oversubscribed() -> (
    None
):
    rows = {("R1", tid): Measured(1, 4.0, 1, 4.0) for tid in range(2)}
    run = experiment([region("R1", "parallel", 3)], rows, threads=2, duration=4.0)
    locations = tuple(Location(tid, 0, queuedT=2.0) for tid in range(2))
    run = replace(run, processors=2, usable_processors=1, locations=locations)
    (condition,) = run_conditions(analyze_run(run))
    assert condition.condition is ConditionKind.OVERSUBSCRIPTION
    assert condition.text.startswith(
        "Oversubscription: 2 threads on 1 processor (the process is bound: "
    )
    assert "with 2 threads on 1 processor\n" in text.render(
        profile_report(run), Options(), Terminal()
    )
    (condition,) = run_conditions(analyze_run(replace(run, usable_processors=None)))
    assert condition.condition is ConditionKind.NO_PROCESSOR


def test_a_run_that_mostly_starts_mpi_is_too_short() -> None:
    rows = {("R1", 0): Measured(1, 1.0, 1, 1.0), ("R1", 1): Measured(1, 1.0, 1, 1.0)}
    run = experiment([region("R1", "parallel", 3)], rows, threads=2, duration=4.0)
    calls = {("", 0): MpiCalls(mpiT=2.0, initT=1.0)}
    mpi = MpiProfile(0, 2, "", "single", "naive", calls)
    (condition,) = run_conditions(analyze_run(replace(run, mpi=mpi)))
    assert condition.condition is ConditionKind.LONG_MPI_INIT
    assert "take 25.0 % of the run" in condition.text
    calls["", 0] = MpiCalls(mpiT=2.0, initT=0.7)
    assert run_conditions(analyze_run(replace(run, mpi=mpi))) == []


def _beside(path: str, seconds: float = 0.1) -> Experiment:
    """Return a run in which a second thread updates an atomic on a call path."""
    regions = [region("R1", "atomic", 3), region("R2", "parallel", 5)]
    paths = call_paths("""
R2
  R1
R1
""")
    rows = {(path, 1): Measured(execC=9, execT=seconds), ("C00001", 0): Measured(1, 1.0, 1, 1.0)}
    flat = {("R1", 1): rows[path, 1], ("R2", 0): rows["C00001", 0]}
    run = experiment(regions, flat, threads=2, duration=4.0)
    return replace(run, callpaths=paths, callpath_profile=rows)


def test_threads_with_constructs_outside_measured_regions_are_not_idle() -> None:
    report = profile_report(_beside("C00003"))
    (condition,) = run_conditions(report)
    assert condition.condition is ConditionKind.UNMEASURED_TEAM
    assert condition.text.startswith("1 thread ran constructs outside measured parallel regions;")
    assert "IdleThreads" not in {finding.name for finding in report.findings}


@pytest.mark.parametrize(("path", "seconds"), [("C00002", 0.1), ("C00003", 0.001)])
def test_threads_with_constructs_in_measured_regions_may_be_idle(path: str, seconds: float) -> None:
    """So may a thread that runs a destructor as it ends."""
    report = profile_report(_beside(path, seconds))
    assert run_conditions(report) == []
    assert "IdleThreads" in {finding.name for finding in report.findings}


def test_each_output_has_the_same_conditions() -> None:
    rows = {("R1", tid): Measured(1, 4.0, 1, 4.0) for tid in range(4)}
    experiment_ = experiment([region("R1", "parallel", 3)], rows)
    locations = tuple(Location(tid, 7 if tid else 0, ranT=1.0) for tid in range(4))
    experiment_ = replace(experiment_, processors=2, complete=False, locations=locations)
    report = profile_report(experiment_)
    conditions = run_conditions(report, report.cost)
    assert [noted.condition for noted in conditions] == [
        ConditionKind.INCOMPLETE,
        ConditionKind.DROPPED_EVENTS,
        ConditionKind.OVERSUBSCRIPTION,
        ConditionKind.NO_PROCESSOR,
    ]
    run = analyze_run(experiment_)
    notes = [note.text for note in comparison_notes((("A", run), ("B", run)))]
    assert notes == [f"{label}: {noted.text}" for label in "AB" for noted in conditions]
    output = text.render(report, Options(everything=True), Terminal())
    json_conditions = document.document(report, Options())["conditions"]
    assert json_conditions == [
        {"name": noted.condition.value, "text": noted.text} for noted in conditions
    ]
    html = page.render(report, Options())
    for condition in conditions:
        assert condition.text in " ".join(output.split()) and condition.text in html


@pytest.mark.parametrize(
    ("kind", "advice"),
    [
        ("simd", ", most of it in simd constructs: --pomp-disable=simd leaves them out. "),
        ("function", ", most of it in functions: --pomp-functions=auto leaves out small ones. "),
        ("for", "; "),
    ],
)
def test_a_kind_of_region_that_makes_most_of_the_cost_is_named(kind: str, advice: str) -> None:
    """Loops that threads share are not: without them, a report has nothing on their threads."""
    rows = {("C00001", 0): Measured(1, 1.0, 1, 1.0), ("C00002", 0): Measured(12_000_000, 0.5)}
    regions = [region("R1", "parallel", 1, 9), region("R2", kind, 3)]
    run = experiment(regions, {}, threads=1, duration=1.0)
    run = replace(run, callpaths=call_paths("R1\n  R2"), callpath_profile=rows)
    run = replace(run, costs=EventCosts(1e-8, 5e-9, 0.0, 0.0, 0.0))
    conditions = run_conditions(analyze_run(run), perturbation(run))
    (text,) = [c.text for c in conditions if c.condition is ConditionKind.HEAVY_MEASUREMENT]
    assert text.startswith(f"Measuring took 12.0 % of the threads' time{advice}--subtract-overhead")


def test_measuring_is_heavy_if_atomics_may_have_waited_for_their_events() -> None:
    run = replace(updates(300e-6), duration=0.1)
    cost = perturbation(run)
    assert cost is not None and cost.share < 0.02
    (condition,) = run_conditions(analyze_run(run), cost)
    assert condition.condition is ConditionKind.HEAVY_MEASUREMENT
    assert condition.text.startswith("Measuring took 1.1 to 15.6 % of the threads' time; ")
    longer = replace(run, duration=1.0)
    assert not run_conditions(analyze_run(longer), perturbation(longer))
