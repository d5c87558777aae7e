"""The tree of call paths and its picture: the number of paths shown, and their widths."""

from __future__ import annotations

import pytest

from pomp_clang.experiment.model import CallPath, Experiment, Measured
from pomp_clang.report.html.callpaths import DETAILED, MOST, CallPathsView, callpaths_view
from pomp_clang.report.model import profile_report
from tests.handmade import call_paths, experiment, region

REGIONS = (
    region("R00001", "parallel", 1, 30),
    region("R00002", "single", 2, 20),
    region("R00003", "task", 3, 6),
    region("R00004", "critical", 4, 5),
)
PATHS = call_paths("""
R00001
  R00002
    R00003
      R00003!
        R00004
  R00004
""")
PROFILE = {
    ("C00001", 0): Measured(execC=1, execT=4.0),
    ("C00001", 1): Measured(execC=1, execT=4.0, taskT=2.0),
    ("C00002", 0): Measured(execC=1, execT=3.0, bodyT=2.75),
    ("C00003", 0): Measured(createC=2, createT=0.5),
    ("C00004", 1): Measured(execC=2, execT=2.0),
    ("C00005", 1): Measured(execC=2, execT=0.001),
    ("C00006", 1): Measured(execC=1, execT=1.0, taskT=0.0),
}


def with_tasks() -> Experiment:
    return experiment(
        REGIONS, {}, threads=2, duration=5.0, callpaths=PATHS, callpath_profile=PROFILE
    )


def view_of(experiment: Experiment) -> CallPathsView:
    return callpaths_view(profile_report(experiment))


def test_the_tree_opens_and_closes_as_the_paths_lie() -> None:
    rows = view_of(with_tasks()).rows
    assert [row.id for row in rows] == [path.id for path in PATHS]
    assert [row.leaf for row in rows] == [False, False, False, False, True, True]
    assert [row.closes for row in rows] == [0, 0, 0, 0, 3, 1]
    assert [row.name for row in rows[2:4]] == ["task", "task (running)"]
    assert sum(not row.leaf for row in rows) == sum(row.closes for row in rows)


def test_a_path_has_its_threads_and_those_that_ran_its_tasks() -> None:
    single = view_of(with_tasks()).rows[1]
    threads = [(t.label, t.inclusive, t.exclusive, t.values[:4]) for t in single.threads]
    assert single.columns[:4] == ("execT", "execC", "singleT/I", "singleT/E")
    assert threads == [
        ("0", "3.000000", "2.500000", ("3.000000", "1", "2.750000", "2.250000")),
        ("1", "2.000000", "0.000000", ("0.000000", "0", "0.000000", "0.000000")),
    ]


def test_what_took_little_is_folded() -> None:
    profile = {key: m for key, m in PROFILE.items() if key != ("C00004", 1)}
    rows = view_of(
        experiment(REGIONS, {}, threads=2, duration=1e6, callpaths=PATHS, callpath_profile=profile)
    ).rows
    assert [row.open for row in rows] == [False] * 6
    assert [row.open for row in view_of(with_tasks()).rows] == [
        True,
        True,
        True,
        True,
        False,
        False,
    ]


def test_a_slice_is_as_wide_as_its_share_and_lies_below_what_led_to_it() -> None:
    view = view_of(with_tasks())
    slices = {s.id: (s.x, s.width, s.level) for s in view.slices}
    assert slices["C00001"] == (0.0, 80.0, 0)
    assert slices["C00002"] == (0.0, 50.0, 1)
    assert slices["C00006"] == (50.0, 10.0, 1)
    assert slices["C00004"] == (0.0, 20.0, 3)
    assert "C00005" not in slices
    assert view.levels == 4


def test_of_thousands_of_paths_those_with_most_time_are_shown_and_the_rest_is_counted() -> None:
    count = 3 * MOST
    paths = (
        CallPath("C00001", None, "R00001"),
        *(CallPath(f"C{n:05}", "C00001", "R00004") for n in range(2, count + 2)),
    )
    profile = {("C00001", 0): Measured(execC=1, execT=5.0)}
    profile |= {(path.id, 0): Measured(execC=1, execT=0.001) for path in paths[1:]}
    run = experiment(
        REGIONS, {}, threads=1, duration=5.0, callpaths=paths, callpath_profile=profile,
        folded_callpaths=True,
    )  # fmt: skip
    view = view_of(run)
    assert [row.id for row in view.rows[:2]] == ["C00001", "C00002"]
    assert len(view.rows) == MOST
    assert len(view.slices) == 1
    assert len(view.notes) == 2
    assert view.notes[0].startswith(f"{count + 1 - MOST} more call paths took <0.1 % each")


@pytest.mark.parametrize(("threads", "expected"), [(16, 16), (64, 3)])
def test_of_many_threads_the_least_the_median_and_the_most_are_shown(
    threads: int, expected: int
) -> None:
    profile = {("C00001", tid): Measured(execC=1, execT=1.0 + tid) for tid in range(threads)}
    run = experiment(
        REGIONS, {}, threads=threads, duration=99.0, callpaths=PATHS[:1], callpath_profile=profile
    )
    (row,) = view_of(run).rows
    assert len(row.threads) == expected
    if expected == 3:
        assert [t.label for t in row.threads] == ["0 (least)", "32 (median)", "63 (most)"]


def test_paths_with_little_time_have_the_spread_of_their_threads() -> None:
    paths = tuple(CallPath(f"C{n:05}", None, "R00001") for n in range(DETAILED + 1))
    profile = {
        (path.id, tid): Measured(execC=1, execT=float(DETAILED - n + 1))
        for n, path in enumerate(paths)
        for tid in range(4)
    }
    run = experiment(REGIONS, {}, duration=1e6, callpaths=paths, callpath_profile=profile)
    rows = view_of(run).rows
    assert {(len(row.threads), row.thread_times) for row in rows[:-1]} == {(4, "each thread")}
    assert (len(rows[-1].threads), rows[-1].thread_times) == (3, "the threads' spread")
