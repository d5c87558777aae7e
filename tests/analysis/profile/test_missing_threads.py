"""A thread that is alone in its team never waits, however long the constructs there take."""

from __future__ import annotations

import pytest

from pomp_clang.analysis.columns import COLUMNS, Others, Overhead
from pomp_clang.analysis.overheads import OverheadAnalysis, analyze_overheads
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.analysis.properties import ROWS, find_properties
from pomp_clang.experiment.model import Experiment, Measured
from tests.handmade import call_paths, experiment, region

WAITS = (Overhead.IMBAL, Overhead.LIMPAR)
ALL = Measured(2, 3.0, 2, 1.0, 0.25, 0.125, 0.5, 0.25, 0.25)
OUTER, INNER, LOOP = (
    region("R1", "parallel", 1, 20),
    region("R2", "parallel for", 31, 39),
    region("R3", "for", 3, 9),
)


def _names(experiment: Experiment) -> set[str]:
    profiles = flat_profile(experiment)
    return {
        prop.name for prop in find_properties(profiles, analyze_overheads(experiment, profiles))
    }


def _analysis(experiment: Experiment) -> OverheadAnalysis:
    return analyze_overheads(experiment, flat_profile(experiment))


@pytest.mark.parametrize("kind", COLUMNS)
def test_one_thread_loses_nothing_by_waiting(kind: str) -> None:
    run = experiment([region("R1", kind, 3)], {("R1", 0): ALL}, threads=1)
    lost = _analysis(run).lost
    assert [lost.of(wait) for wait in WAITS] == [0.0, 0.0]
    assert lost.of(Overhead.SYNC) == (3.0 if kind in ("atomic", "flush") else 0.0)
    of_two = _analysis(experiment([region("R1", kind, 3)], {("R1", 0): ALL}, threads=2)).lost
    assert lost.total == of_two.total


@pytest.mark.parametrize("kind", COLUMNS)
def test_one_thread_gets_no_advice_that_needs_others(kind: str) -> None:
    run = experiment([region("R1", kind, 3)], {("R1", 0): ALL}, threads=1)
    profiles = flat_profile(run)
    waits = {row.name for row in ROWS if row.others}
    properties = find_properties(profiles, analyze_overheads(run, profiles))
    assert waits.isdisjoint(finding.name for finding in properties)
    for finding in properties:
        assert not any(
            word in finding.advice for word in ("schedule", "several threads", "if clause")
        )


def test_a_serialised_inner_region_has_teams_of_one() -> None:
    """Both threads of the outer team come to the inner region, each alone."""
    paths = call_paths("R1\n  R3\n  R2")
    rows = {("C00001", tid): Measured(1, 4.0, 1, 3.0, exitBarT=0.5) for tid in (0, 1)}
    rows |= {("C00002", tid): Measured(1, 1.0, 1, 0.5, exitBarT=0.5) for tid in (0, 1)}
    rows |= {("C00003", tid): Measured(9, 1.0, 9, 0.5, exitBarT=0.25) for tid in (0, 1)}
    experiment = _with_paths(paths, rows)
    assert [profile.missing for profile in flat_profile(experiment)] == [
        Others.NONE,
        Others.TEAM,
        Others.NONE,
    ]
    exclusive = _analysis(experiment).exclusive
    assert (exclusive["R2"].of(Overhead.IMBAL), exclusive["R2"].of(Overhead.MGMT)) == (0.0, 0.5)
    assert exclusive["R1"].of(Overhead.IMBAL) == exclusive["R3"].of(Overhead.IMBAL) == 1.0


def test_an_inner_team_with_threads_of_its_own_waits() -> None:
    paths = call_paths("R1\n  R2")
    rows = {("C00001", tid): Measured(1, 4.0, 1, 3.0, exitBarT=0.5) for tid in (0, 1)}
    rows |= {("C00002", tid): Measured(1, 1.0, 1, 0.5, exitBarT=0.25) for tid in range(4)}
    experiment = _with_paths(paths, rows, threads=4)
    assert _analysis(experiment).exclusive["R2"].of(Overhead.IMBAL) == 1.0


def test_a_region_of_one_thread_beside_larger_ones() -> None:
    paths = call_paths("R1\n  R3\nR2\n  R3")
    rows = {("C00001", 0): Measured(1, 4.0, 1, 3.0, exitBarT=0.5)}
    rows |= {("C00002", 0): Measured(1, 1.0, 1, 0.5, exitBarT=0.5)}
    rows |= {("C00003", tid): Measured(1, 1.0, 1, 0.5, exitBarT=0.25) for tid in (0, 1)}
    rows |= {("C00004", tid): Measured(1, 0.5, 1, 0.25, exitBarT=0.25) for tid in (0, 1)}
    experiment = _with_paths(paths, rows)
    assert [profile.missing for profile in flat_profile(experiment)] == [
        Others.TEAM,
        Others.NONE,
        Others.NONE,
    ]
    charged = {region.region.id: region.lost for region in _analysis(experiment).regions}
    assert (charged["R1"].of(Overhead.IMBAL), charged["R1"].of(Overhead.MGMT)) == (0.0, 1.0)
    assert charged["R2"].of(Overhead.IMBAL) == 1.0


@pytest.mark.parametrize(
    ("kind", "clauses"), [("target", "map(a) nowait"), ("task", "detach(done)")]
)
def test_one_thread_may_wait_for_what_is_done_elsewhere(kind: str, clauses: str) -> None:
    regions = [region("R1", "taskwait", 3), region("R2", kind, 1, clauses=clauses)]
    run = experiment(regions, {("R1", 0): Measured(1, 2.0)}, threads=1)
    assert _analysis(run).lost.of(Overhead.SYNC) == 2.0
    assert "WaitForTasks" in _names(run)


def _with_paths(
    paths: object, rows: dict[tuple[str, int], Measured], threads: int = 2
) -> Experiment:
    regions = {path.id: path.region for path in paths}  # type: ignore[attr-defined]
    profile: dict[tuple[str, int], Measured] = {}
    for (path, tid), measured in rows.items():
        key = regions[path], tid
        before = profile.get(key, Measured())
        profile[key] = Measured(
            before.execC + measured.execC,
            before.execT + measured.execT,
            before.bodyC + measured.bodyC,
            before.bodyT + measured.bodyT,
            exitBarT=before.exitBarT + measured.exitBarT,
        )
    return experiment(
        (OUTER, INNER, LOOP), profile, threads=threads, callpaths=paths, callpath_profile=rows
    )
