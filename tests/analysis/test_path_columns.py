"""Columns of call paths, by hand: the inclusive value, and the call path's own share."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomp_clang.analysis.callpaths import callpath_profile, column_profiles, path_columns
from pomp_clang.analysis.columns import COLUMNS, columns_of
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.experiment.model import Experiment, Measured
from tests.handmade import call_paths, experiment, measurements, region

REGIONS = (
    region("R00001", "parallel", 1),
    region("R00002", "for", 2),
    region("R00003", "critical", 3),
    region("R00004", "lock", 4),
    region("R00005", "task", 5),
    region("R00006", "taskwait", 6),
)
PATHS = call_paths("""
R00001
  R00002
    R00003
      R00004
  R00005
    R00005!
      R00006
""")
PROFILE = {
    ("C00001", 0): Measured(execC=1, execT=10.0, bodyT=9.0, startupT=0.75, shutdwnT=0.25),
    ("C00001", 1): Measured(execC=1, execT=10.0, bodyT=5.0, startupT=1.0, taskT=4.0),
    ("C00002", 0): Measured(execC=1, execT=6.0, bodyT=5.0, exitBarT=1.0),
    ("C00003", 0): Measured(execC=9, execT=3.0, bodyT=2.0, enterT=0.75, exitT=0.25),
    ("C00004", 0): Measured(execC=9, execT=2.5, bodyT=2.0, enterT=0.5),
    ("C00005", 0): Measured(createC=2, createT=0.5),
    ("C00006", 1): Measured(execC=2, execT=4.0),
    ("C00007", 1): Measured(execC=2, execT=3.0, taskT=1.0),
}


def _experiment(profile: dict[tuple[str, int], Measured]) -> Experiment:
    """Return an experiment whose flat profile is the sum over the call paths."""
    flat: dict[tuple[str, int], list[Measured]] = defaultdict(list)
    leads = {path.id: path.region for path in PATHS}
    for (path, tid), measured in profile.items():
        flat[leads[path], tid].append(measured)
    names = Measured.__dataclass_fields__
    summed = {
        key: Measured(**{name: sum(getattr(m, name) for m in parts) for name in names})
        for key, parts in flat.items()
    }
    return experiment(REGIONS, summed, threads=2, callpaths=PATHS, callpath_profile=profile)


def _tables(experiment: Experiment) -> dict[str, dict[str, list[float]]]:
    """Return each thread's value by call path and column."""
    paths = callpath_profile(experiment)
    return {
        path.path.id: {
            column.name: [row.values[i] for row in profile.rows]
            for i, column in enumerate(profile.columns)
        }
        for path, profile in zip(paths, column_profiles(experiment, paths), strict=True)
    }


def test_a_body_is_exclusive_without_what_stands_below() -> None:
    tables = _tables(_experiment(PROFILE))
    assert tables["C00001"]["bodyT/I"] == [9.0, 5.0]
    assert tables["C00001"]["bodyT/E"] == [9.0 - 6.0 - 0.5, 5.0]
    assert tables["C00002"]["bodyT/E"] == [5.0 - 3.0, 0.0]
    assert tables["C00003"]["bodyT/E"] == [2.0 - 0.5, 0.0]


def test_what_has_no_body_has_its_execT_both_ways_and_what_holds_nothing_once() -> None:
    tables = _tables(_experiment(PROFILE))
    assert tables["C00007"] == {
        "execT/I": [0.0, 3.0], "execT/E": [0.0, 2.0], "execC": [0, 2], "taskT": [0.0, 1.0],
    }  # fmt: skip
    assert [*tables["C00004"]] == ["execT", "execC", "bodyT", "enterT", "exitT"]


def test_a_task_is_made_on_one_path_and_runs_on_another() -> None:
    tables = _tables(_experiment(PROFILE))
    assert tables["C00005"] == {"createT": [0.5, 0.0], "createC": [2, 0]}
    assert tables["C00006"] == {"execT/I": [0, 4], "execT/E": [0, 2], "execC": [0, 2]}


@pytest.mark.parametrize("kind", sorted({*COLUMNS} - {"atomic", "flush", "barrier", "lock"}))
def test_every_construct_that_can_hold_others_has_a_time_both_ways(kind: str) -> None:
    names = [column.name for column in path_columns(kind, kind == "task")]
    flat = [column.name for column in columns_of(kind)]
    (exclusive,) = (name.removesuffix("/E") for name in names if name.endswith("/E"))
    assert names.index(f"{exclusive}/I") + 1 == names.index(f"{exclusive}/E")
    assert exclusive in flat
    assert exclusive == "execT" or f"{exclusive}" in ("bodyT", "singleT", "sectT")


@given(
    st.dictionaries(
        st.tuples(st.sampled_from([path.id for path in PATHS]), st.integers(0, 1)),
        measurements(),
    )
)
def test_inclusive_columns_make_up_the_flat_profile_and_exclusive_ones_are_within(
    profile: dict[tuple[str, int], Measured],
) -> None:
    experiment = _experiment(profile)
    sums: dict[tuple[str, str], float] = defaultdict(float)
    for path, columns in _tables(experiment).items():
        for name, values in columns.items():
            sums[PATHS[int(path[1:]) - 1].region, name.removesuffix("/I")] += sum(values)
            if name.endswith("/E"):
                inclusive = columns[name.replace("/E", "/I")]
                assert all(0 <= e <= i for e, i in zip(values, inclusive, strict=True))
    for flat in flat_profile(experiment):
        for column, value in zip(flat.columns, flat.total, strict=True):
            if flat.ran and flat.region.kind != "task":
                assert sums[flat.region.id, column.name] == pytest.approx(value)
