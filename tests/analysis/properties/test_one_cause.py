"""Findings of one cause are one finding, at the place that has to change; in constructed records."""

from __future__ import annotations

from collections.abc import Mapping

from pomp_clang.analysis.properties import separate
from pomp_clang.experiment.model import Experiment, Measured, Region
from pomp_clang.report.model import profile_report
from pomp_clang.report.text.properties import places
from tests.handmade import experiment, region


def _experiment(rows: Mapping[Region, tuple[Measured, ...]], duration: float = 1.0) -> Experiment:
    profile = {(at.id, tid): own for at, row in rows.items() for tid, own in enumerate(row)}
    threads = max(map(len, rows.values()))
    return experiment(list(rows), profile, threads=threads, duration=duration)


def _waits_of_a_team(wait: Measured, others: Measured) -> dict[Region, tuple[Measured, ...]]:
    """Return a team of four of which one thread creates tasks in a single and waits for each."""
    none = Measured()
    work = Measured(1, 1.0, 1, 1.0)
    return {
        region("R1", "parallel", 1, 20): (work,) * 4,
        region("R2", "single", 2, 19): (Measured(1, 1.0, 1, 1.0), others, others, others),
        region("R3", "task", 4, 5): (none, Measured(100, 0.8, createC=0), none, none),
        region("R4", "taskwait", 6): (wait, none, none, none),
    }


def test_waits_at_a_single_are_put_to_the_taskwait_in_its_block() -> None:
    others = Measured(1, 1.0, exitBarT=0.7, taskT=0.3)
    actual = profile_report(_experiment(_waits_of_a_team(Measured(100, 0.9), others))).findings
    first = actual[0]
    assert first.profile and (first.title, first.profile.region.id) == ("Wait for tasks", "R4")
    assert first.severity == 0.9 + 3 * 0.7
    assert first.advice.startswith("Create more tasks before the wait")
    assert [part.name for part in separate((first,))] == [
        "UnparallelizedInSingleRegion",
        "WaitForTasks",
    ]


def test_a_short_taskwait_is_not_the_reason_of_waits_at_a_single() -> None:
    others = Measured(1, 1.0, exitBarT=0.7, taskT=0.3)
    actual = profile_report(_experiment(_waits_of_a_team(Measured(100, 0.1), others))).findings
    assert actual[0].title == "Wait at the end of a single"


def test_a_wait_for_the_block_of_a_master_is_one_finding() -> None:
    late = Measured(1, 0.6)
    rows = {
        region("R1", "parallel", 1, 9): (Measured(1, 1.0, 1, 1.0),) * 4,
        region("R2", "master", 3, 5): (Measured(1, 0.6), Measured(), Measured(), Measured()),
        region("R3", "barrier", 6): (Measured(1, 0.0), late, late, late),
    }
    (finding,) = profile_report(_experiment(rows)).findings
    assert finding.profile and finding.profile.region.id == "R3"
    assert "One thread alone runs a master block before, for 600 ms" in finding.text
    assert finding.advice.startswith("Share out the work of the block")


def test_a_block_of_a_master_nobody_waits_for_stays_a_finding() -> None:
    rows = {
        region("R1", "parallel", 1, 9): (Measured(1, 1.0, 1, 1.0),) * 4,
        region("R2", "master", 3, 5): (Measured(1, 0.6), Measured(), Measured(), Measured()),
        region("R3", "barrier", 6): (Measured(1, 0.05),) * 4,
    }
    assert {finding.title for finding in profile_report(_experiment(rows)).findings} == {
        "Work of one thread alone",
        "Wait at a barrier",
    }


def test_small_tasks_are_one_finding_with_the_waits_for_them() -> None:
    creator = Measured(500, 0.05, createC=1000, createT=0.5)
    rows = {
        region("R1", "task", 4, 5): (creator, Measured(500, 0.05)),
        region("R2", "taskwait", 9): (Measured(1, 0.01), Measured(1, 0.4)),
    }
    (actual,) = [
        finding for finding in profile_report(_experiment(rows)).findings if finding.profile
    ]
    assert actual.title == "Cost of small tasks"
    assert actual.text == (
        "Creating 1,000 tasks takes 500 ms in all. Threads wait 410 ms for tasks, with none to run."
    )


def test_leaving_a_critical_section_belongs_to_the_wait_for_it() -> None:
    row = Measured(1000, 0.5, 1000, 0.1, enterT=0.3, exitT=0.1)
    rows = {
        region("R1", "parallel", 1, 9): (Measured(1, 1.0, 1, 1.0),) * 2,
        region("R2", "critical", 3, 4): (row, row),
    }
    (finding,) = profile_report(_experiment(rows)).findings
    assert (finding.title, finding.severity) == ("Wait for a critical section", 0.8)


def test_idle_threads_beside_a_small_team_stand_at_its_region() -> None:
    work, none = Measured(1, 0.5, 1, 0.5), Measured()
    rows = {
        region("R1", "parallel", 1, 9): (work,) * 4,
        region("R2", "parallel", 11, 19): (work, work, none, none),
    }
    (finding,) = profile_report(_experiment(rows)).findings
    assert finding.title == "Idle threads beside a small team"
    assert finding.profile and finding.profile.region.id == "R2"
    assert separate((finding,))[0].profile is None


def test_small_teams_of_several_regions_stand_at_the_worst_with_the_others() -> None:
    none = Measured()
    rows = {
        region(f"R{n}", "parallel", n, n): (Measured(1, seconds, 1, seconds),) * 2 + (none,) * 2
        for n, seconds in ((1, 0.3), (2, 0.4), (3, 0.3))
    }
    (finding,) = profile_report(_experiment(rows)).findings
    assert finding.profile and finding.profile.region.id == "R2"
    assert finding.text.endswith("40 % of the time passes beside this region's team.")
    (sentence,) = places(finding, {})
    assert sentence.startswith("The longest parts: 800 ms beside main.c:2, 600 ms beside main.c:")


def test_threads_gain_the_longest_wait_if_a_canceled_construct_ends_at_once() -> None:
    rows = {
        region("R1", "parallel", 1, 9): (Measured(1, 1.0, 1, 1.0),) * 4,
        region("R2", "cancel", 3): (Measured(1, 0.6), Measured(), Measured(), Measured()),
    }
    (finding,) = profile_report(_experiment(rows)).findings
    assert (finding.gain(4) or 0.0) > 0.59
