"""Exclusive time of call paths, computed by hand."""

from __future__ import annotations

from pomp_clang.analysis.callpaths import callpath_profile
from pomp_clang.experiment.model import CallPath, Measured
from tests.handmade import call_paths, experiment, region

REGIONS = (
    region("R00001", "parallel", 1),
    region("R00002", "single", 2),
    region("R00003", "task", 3),
    region("R00004", "lock", 4),
    region("R00005", "taskwait", 5),
)
PATHS = call_paths("""
R00001
  R00002
    R00003
      R00003!
        R00004
""")
PROFILE = {
    ("C00001", 0): Measured(execC=1, execT=10.0),
    ("C00002", 0): Measured(execC=1, execT=6.0, taskT=3.0),
    ("C00003", 0): Measured(createC=2, createT=1.0),
    ("C00004", 0): Measured(execC=2, execT=3.0),
    ("C00005", 0): Measured(execC=2, execT=2.5, enterT=0.5, bodyT=2.0),
    ("C00001", 1): Measured(execC=1, execT=8.0),
}


def _own(profile: dict[tuple[str, int], Measured], *paths: CallPath) -> dict[str, list[float]]:
    run = experiment(REGIONS, {}, callpaths=paths or PATHS, callpath_profile=profile)
    return {p.path.id: [v.exclusive for v in p.threads] for p in callpath_profile(run)}


def test_own_time() -> None:
    """Six of the ten seconds are in single: one makes tasks and three run them. A lock is held for
    two seconds in the tasks, whose own time includes these."""
    assert _own(PROFILE) == {
        "C00001": [4.0, 8.0],
        "C00002": [2.0],
        "C00003": [1.0],
        "C00004": [2.5],
        "C00005": [0.5],
    }


def test_inclusive_is_own_and_all_below_with_tasks_whoever_ran_them() -> None:
    more = {**PROFILE, ("C00004", 1): Measured(execC=1, execT=2.0)}
    run = experiment(REGIONS, {}, callpaths=PATHS, callpath_profile=more)
    actual = {p.path.id: p for p in callpath_profile(run)}
    assert [actual[p.id].depth for p in PATHS] == [0, 1, 2, 3, 4]
    assert (actual["C00003"].execC, actual["C00002"].execC) == (2, 1)
    single = [(v.tid, v.execC, v.inclusive, v.exclusive) for v in actual["C00002"].threads]
    assert single == [(0, 1, 6.0, 2.0), (1, 0, 2.0, 0.0)]
    assert actual["C00001"].inclusive == 10.0 + 8.0 + 2.0


def test_own_times_make_up_the_whole() -> None:
    assert sum(map(sum, _own(PROFILE).values())) == 18.0


WAITING = call_paths("""
R00001
  R00003
    R00003!
      R00005
  R00005
""")


def test_an_explicit_task_stands_still_in_its_waits() -> None:
    """Three of taskwait's four seconds belong to other tasks, and not to the waiting task."""
    profile = {
        ("C00003", 0): Measured(execC=1, execT=2.0),
        ("C00004", 0): Measured(execC=1, execT=4.0, taskT=3.0),
    }
    assert _own(profile, *WAITING) == {
        "C00001": [0.0], "C00002": [0.0], "C00003": [1.0], "C00004": [1.0]
    } | {"C00005": []}  # fmt: skip


def test_tasks_that_were_not_deferred_are_not_their_makers_own_time() -> None:
    profile = {
        ("C00001", 0): Measured(execC=1, execT=10.0),
        ("C00002", 0): Measured(createC=8, createT=1.0),
        ("C00003", 0): Measured(execC=8, execT=6.0),
    }
    assert _own(profile, *WAITING)["C00001"] == [3.0]


def test_what_tasks_run_while_they_wait_is_not_the_own_time_of_what_waits_for_them() -> None:
    """Eight seconds of tasks, of which the outer wait knows the three that it ran itself."""
    profile = {
        ("C00001", 0): Measured(execC=1, execT=10.0),
        ("C00003", 0): Measured(execC=4, execT=8.0),
        ("C00005", 0): Measured(execC=1, execT=3.5, taskT=3.0),
    }
    exclusive = _own(profile, *WAITING)
    assert (exclusive["C00001"], exclusive["C00005"]) == ([1.5], [0.5])
