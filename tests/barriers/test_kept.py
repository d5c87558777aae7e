"""Barriers that must stay in place, and ends of regions that not all threads reach: their times
with the OpenMP runtime's reports and without.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.analysis.columns import columns_of
from pomp_clang.openmp.kinds import is_parallel
from tests.barriers.harness import LATE, MODES, Construct, RunResult, build, calls_of_barriers, run
from tests.compilers import links_openmp

WAITING = {
    ("parallel for", "cancelled_loop"): 3,
    ("parallel sections", "cancelled_sections"): 1,
    ("parallel for", "reduced_by_tasks"): 3,
    ("parallel", "cancelled_region"): 3 * 2,
}
"""How many threads wait for the one that is late, in all visits."""
ONLY_BY_OMPT = {construct for construct in WAITING if construct[1].startswith("cancelled")}


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> dict[str, RunResult]:
    programs = {}
    for mode in MODES:
        folder = tmp_path_factory.mktemp(mode)
        programs[mode] = run(build(folder, "kept.c", f"--pomp-barriers={mode}"), folder)
    return programs


@pytest.mark.parametrize("construct", WAITING, ids="-".join)
def test_who_waits_waits_at_the_end(both: dict[str, RunResult], construct: Construct) -> None:
    waited = both["ompt"].total(construct, "exitBarT")
    assert waited >= 0.7 * LATE * WAITING[construct]
    assert waited <= both["ompt"].total(construct, "execT")


def test_a_task_reduction_is_the_regions_and_its_loop_may_be_nowait(
    both: dict[str, RunResult],
) -> None:
    for result in both.values():
        assert result.total(("parallel for", "reduced_by_tasks"), "exitBarT") >= 0.7 * LATE * 3
        assert result.total(("task", "reduced_by_tasks"), "execC") == 4


def test_only_the_runtime_tells_of_barriers_that_stay(both: dict[str, RunResult]) -> None:
    def unmeasured(result: RunResult) -> set[Construct]:
        return {(r.kind, r.function) for r in result.experiment.regions if not r.barrier_measured}

    assert unmeasured(both["explicit"]) == ONLY_BY_OMPT
    assert unmeasured(both["ompt"]) == set()
    assert both["explicit"].report().count("barrier not measured") == len(ONLY_BY_OMPT)


def test_a_cancelled_region_ends_for_all_when_its_master_leaves(both: dict[str, RunResult]) -> None:
    rows = both["ompt"].rows(("parallel", "cancelled_region"))
    assert [m.execC for m in rows] == [2] * 4
    times = [m.execT for m in rows]
    assert max(times) - min(times) < 0.001


def test_a_region_that_a_task_forks_unseen_ends_no_task(both: dict[str, RunResult]) -> None:
    result = both["ompt"]
    assert result.total(("task", "unseen_in_task"), "execT") >= 0.9 * LATE
    region = ("parallel", "unseen_in_task")
    assert result.total(region, "taskT") == pytest.approx(
        result.total(("task", "unseen_in_task"), "execT"), abs=0.001
    )


def test_parts_add_up(both: dict[str, RunResult]) -> None:
    kinds = {r.id: r.kind for r in both["ompt"].experiment.regions}
    for (ident, _), m in both["ompt"].experiment.profile.items():
        if is_parallel(kinds[ident]):
            parts = [c for c in columns_of(kinds[ident]) if c.name[-1] == "T" and c.name != "execT"]
            assert sum(c.value(m) for c in parts) == pytest.approx(m.execT, abs=0.002)


def test_only_a_combined_construct_that_is_cancelled_has_a_barrier_more(tmp_path: Path) -> None:
    """Compilers refuse nowait where a cancel binds to the loop."""
    if not links_openmp("clang-19"):
        pytest.skip("clang-19 is not here, or has no OpenMP runtime")
    native = calls_of_barriers(tmp_path, "kept.c")
    left = calls_of_barriers(tmp_path, "kept.c", "pomp-clang", "--pomp-barriers=ompt", "--")
    assert left == native + len(["cancelled_loop", "cancelled_sections"])
