"""Every property: where it holds, its cost and its text; and the ranking of properties."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from pomp_clang.analysis.columns import COLUMNS
from pomp_clang.analysis.overheads import CLASSES, analyze_overheads
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.analysis.properties import ROWS, PropertyFinding, find_properties, lasting
from pomp_clang.experiment.model import Experiment, Measured
from tests.handmade import experiment, experiments, figure_1, ocean, region


def _find(experiment: Experiment) -> tuple[PropertyFinding, ...]:
    profiles = flat_profile(experiment)
    return find_properties(profiles, analyze_overheads(experiment, profiles))


def _held(kind: str, *measured: Measured, duration: float = 10.0) -> dict[str, PropertyFinding]:
    """Return the properties of one region of a kind, with a thread for each measurement."""
    run = experiment(
        [region("R1", kind, 3)],
        {("R1", tid): values for tid, values in enumerate(measured)},
        threads=len(measured),
        duration=duration,
    )
    return {finding.name: finding for finding in _find(run) if finding.profile}


def test_figure_1_of_the_ompp_paper() -> None:
    first, second = _find(figure_1())
    assert (first.name, first.severity, first.share) == ("CriticalSectionContention", 6.0, 0.375)
    assert first.locations == (0.0, 2.0, 1.0, 3.0)
    assert first.profile and first.profile.region.id == "R00002"
    assert first.text == (
        "Threads wait 1.50 s on average for this critical section, "
        "which is held for 1.00 s each time."
    )
    assert (second.name, second.severity) == ("ImbalanceInParallelRegion", 6.0)
    assert second.text.endswith(": the busiest has 1.60 times the average work.")


def test_the_ocean_in_the_order_of_what_it_costs() -> None:
    actual = [(f.name, f.profile.region.id if f.profile else "", f.share) for f in _find(ocean())]
    assert actual == [
        ("ImbalanceInParallelRegion", "R00001", pytest.approx(0.154)),
        ("IdleThreads", "", pytest.approx(0.15)),
        ("ImbalanceInParallelLoop", "R00002", pytest.approx(0.094)),
        ("CriticalSectionContention", "R00005", pytest.approx(0.046)),
        ("ManagementOverhead", "R00001", pytest.approx(0.04)),
        ("ImbalanceDueToNotEnoughSections", "R00003", pytest.approx(0.025)),
        ("ManagementOverhead", "R00003", pytest.approx(0.025)),
        ("WaitAtBarrier", "R00006", pytest.approx(0.0125)),
        ("ManagementOverhead", "R00005", pytest.approx(0.01)),
        ("ImbalanceInParallelLoop", "R00007", pytest.approx(0.002)),
        ("ManagementOverhead", "R00007", pytest.approx(0.002)),
    ]


@pytest.mark.parametrize(
    ("kind", "measured", "expected"),
    [
        ("barrier", Measured(2, 3.0, taskT=1.0), {"WaitAtBarrier": 2.0}),
        ("critical", Measured(2, 3.0, 2, 1.0, 1.5, 0.5),
         {"CriticalSectionContention": 1.5, "ManagementOverhead": 0.5}),
        ("lock", Measured(2, 3.0, 2, 1.0, 2.0), {"LockContention": 2.0}),
        ("ordered", Measured(2, 3.0, 2, 1.0, 2.0), {"WaitForTurn": 2.0}),
        ("taskwait", Measured(2, 3.0, taskT=1.0), {"WaitForTasks": 2.0}),
        ("taskyield", Measured(2, 3.0, taskT=3.0), {}),
        ("taskgroup", Measured(2, 3.0, 2, 1.0, exitBarT=1.5, taskT=0.5), {"WaitForTasks": 1.5}),
        ("for", Measured(2, 3.0, 2, 1.0, exitBarT=1.5), {"ImbalanceInParallelLoop": 1.5}),
        ("scope", Measured(2, 3.0, 2, 1.0, exitBarT=1.5), {"ImbalanceInParallelRegion": 1.5}),
        ("workshare", Measured(2, 3.0, exitBarT=1.5), {"ImbalanceInParallelWorkshare": 1.5}),
        ("single", Measured(2, 3.0, 2, 1.0, exitBarT=2.0), {"UnparallelizedInSingleRegion": 2.0}),
        ("master", Measured(2, 3.0), {"UnparallelizedInMasterRegion": 3.0}),
        ("masked", Measured(2, 3.0), {"UnparallelizedInMasterRegion": 3.0}),
        ("parallel for", Measured(2, 3.0, 2, 1.0, 0, 0, 1.5, 0.25, 0.25),
         {"ImbalanceInParallelLoop": 1.5, "ManagementOverhead": 0.5}),
        ("parallel for", Measured(2000, 3.0, 2000, 0.5, 0, 0, 1.5, 0.25, 0.25),
         {"ImbalanceInParallelLoop": 1.5, "InsufficientWorkInParallelLoop": 0.5}),
        ("parallel", Measured(2, 3.0, 2, 0.5, 0, 0, 1.5, 0.25, 0.25),
         {"ImbalanceInParallelRegion": 1.5, "ManagementOverhead": 0.5}),
        ("sections", Measured(2, 3.0, 4, 1.0, exitBarT=1.5),
         {"ImbalanceInParallelSections": 1.5, "ManagementOverhead": 0.5}),
        ("for", Measured(2, 3.0, 2, 1.0, chunkC=8, chunkT=0.25), {"InsufficientWorkInChunks": 0.25}),
        ("for", Measured(2, 3.0, 2, 1.0, chunkC=8, chunkT=0.04), {}),
        ("task", Measured(2, 3.0, createC=4, createT=1.0), {"TaskCreation": 1.0}),
        ("task", Measured(2, 1.0, createC=4, createT=1.0), {"InsufficientWorkInTasks": 1.0}),
        ("function", Measured(2, 3.0), {}),
    ],
)  # fmt: skip
def test_what_holds_for_a_kind(kind: str, measured: Measured, expected: dict[str, float]) -> None:
    held = _held(kind, measured, Measured())
    assert {n: f.severity for n, f in held.items()} == expected


def test_an_atomic_is_frequent_from_1000_a_second_of_all_threads_time() -> None:
    often, seldom = Measured(20_001, 0.5), Measured(20_000, 0.5)
    (actual,) = _held("atomic", often, Measured(0), duration=10.0).values()
    assert (actual.name, actual.severity) == ("FrequentAtomic", 0.5)
    assert _held("atomic", seldom, Measured(0), duration=10.0) == {}
    assert set(_held("flush", often)) == {"FrequentFlush"}


def test_the_three_reasons_to_wait_at_the_end_of_sections() -> None:
    def reason(*dealt: int) -> tuple[set[str], list[str]]:
        measured = [Measured(1, 2.0, count, 1.0, exitBarT=1.0) for count in dealt]
        names = _held("sections", *measured)
        return set(names), [finding.text for finding in names.values()]

    assert reason(1, 0) == (
        {"ImbalanceDueToNotEnoughSections"},
        ["Threads without a section wait at the end: there are 0.50 for each thread."],
    )
    assert reason(3, 1) == (
        {"ImbalanceDueToUnevenSectionDistribution"},
        ["Threads wait at the end: some run 1 sections, some 3."],
    )
    assert reason(2, 2)[0] == {"ImbalanceInParallelSections"}


def test_even_work_is_not_called_uneven() -> None:
    (actual,) = _held("for", *[Measured(1, 2.0, 1, 1.0, exitBarT=1.0)] * 2).values()
    assert actual.text.endswith("although all have equal work over the whole run.")


def test_a_wait_that_the_work_does_not_explain_is_not_laid_to_the_busiest() -> None:
    parts = Measured(10, 2.0, 10, 0.2, exitBarT=1.0), Measured(10, 2.0, 10, 0.1, exitBarT=1.0)
    (actual,) = _held("for", *parts).values()
    assert actual.text == (
        "Each time, threads wait 100 ms on average at the end of the loop. Uneven work explains "
        "5.00 ms of that; the rest comes from late arrivals, interruptions, or a different thread "
        "being slow each time."
    )
    assert "schedule" not in actual.advice


@pytest.mark.parametrize(
    ("clauses", "chunks", "chunk_time", "advice"),
    [
        ("schedule(static, 4)", 0, 0.0, "Try schedule(dynamic)"),
        ("schedule(dynamic, 4)", 0, 0.0, "Try a smaller chunk size"),
        ("schedule(dynamic, 4)", 30, 0.01, "Try a smaller chunk size"),
        ("schedule(guided)", 3000, 0.01, "Let the longest iterations come first"),
        ("schedule(dynamic, 4)", 30, 0.5, "Let the longest iterations come first"),
        ("schedule(runtime)", 10, 0.01, "Try schedule(dynamic)"),
        ("schedule(runtime)", 3000, 0.01, "Let the longest iterations come first"),
    ],
)
def test_the_advice_for_a_loop_fits_its_schedule(
    clauses: str, chunks: int, chunk_time: float, advice: str
) -> None:
    loop = region("R1", "for", 3, clauses=clauses)
    profile = {
        ("R1", thread): Measured(
            10, 3.0, 10, 1.0 + thread, exitBarT=1.0 - thread, chunkC=chunks, chunkT=chunk_time
        )
        for thread in (0, 1)
    }
    actual = _find(experiment([loop], profile, threads=2))
    (wait,) = (finding for finding in actual if finding.name == "ImbalanceInParallelLoop")
    assert wait.advice.startswith(advice)
    if any(finding.name == "InsufficientWorkInChunks" for finding in actual):
        assert "smaller chunk" not in wait.advice


@pytest.mark.parametrize("kind", ["for", "parallel for", "parallel", "scope"])
def test_an_imbalance_has_one_reason(kind: str) -> None:
    for work in ((0.2, 0.1), (0.2, 0.2), (2.0, 1.0), (0.0, 0.0)):
        profile = {
            ("R1", t): Measured(10, 3.0, 10, seconds, exitBarT=1.0)
            for t, seconds in enumerate(work)
        }
        actual = _find(experiment([region("R1", kind, 3)], profile, threads=2))
        assert sum(finding.name.startswith("Imbalance") for finding in actual) == 1


def test_a_block_for_one_thread_and_the_wait_for_it() -> None:
    measured, other = Measured(2, 1.0, 2, 0.5, exitBarT=0.0), Measured(2, 1.0, exitBarT=1.0)
    (actual,) = _held("single", measured, other).values()
    assert actual.text == (
        "Each time, threads wait 250 ms on average at the end of this block, which one thread "
        "runs in 250 ms."
    )
    (master,) = _held("master", Measured(4, 1.0), Measured()).values()
    assert master.text.startswith("One thread alone runs this block, for 250 ms each time;")


def test_the_program_as_a_whole() -> None:
    regions = [region("R1", "parallel", 1, 9)]
    run = experiment(regions, {("R1", t): Measured(1, 1.0) for t in (0, 1)}, duration=3.0)
    idle, small = _find(run)
    assert (idle.name, idle.profile, idle.severity) == ("IdleThreads", None, 6.0)
    assert "2.00 s of 3.00 s" in idle.text
    assert (small.name, small.locations) == ("LimitedParallelism", (0.0, 0.0, 1.0, 1.0))
    assert small.advice.startswith("Check num_threads")
    _, crowded = _find(replace(run, processors=2))
    assert crowded.advice.startswith("Run with at most as many threads as processors")


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0.0, "0 s"), (3.4e-9, "3 ns"), (1.234e-6, "1.23 µs"), (0.0123, "12.3 ms"),
        (0.999, "999 ms"), (1.0, "1.00 s"), (12345.6, "12346 s"),
    ],
)  # fmt: skip
def test_a_time_as_it_is_said(seconds: float, expected: str) -> None:
    assert lasting(seconds) == expected


def test_every_kind_of_a_row_has_columns() -> None:
    assert set().union(*(row.kinds for row in ROWS)) <= set(COLUMNS)


@given(experiments())
def test_what_is_lost_is_found_once(any_run: Experiment) -> None:
    """By class: what properties of the class cost is what the overhead analysis counts."""
    profiles = flat_profile(any_run)
    analysis = analyze_overheads(any_run, profiles)
    properties = find_properties(profiles, analysis)
    for overhead in CLASSES:
        lost = sum(
            analysis.exclusive[p.region.id].of(overhead)
            for p in profiles
            if p.region.kind not in ("atomic", "flush")
        )
        text = sum(
            f.severity
            for f in properties
            if f.overhead is overhead and f.name not in ("FrequentAtomic", "FrequentFlush")
        )
        assert text == pytest.approx(lost), overhead
    assert [f.severity for f in properties] == sorted(
        (f.severity for f in properties), reverse=True
    )
    assert all(f.severity == pytest.approx(sum(f.locations)) for f in properties)
