"""The table of columns is consistent, and its formulas are ompP's."""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given

from pomp_clang.analysis.columns import COLUMNS, Overhead, ReportColumn, columns_of
from pomp_clang.experiment.model import Measured
from pomp_clang.openmp.directives import MEASURED
from pomp_clang.openmp.kinds import is_parallel
from tests.handmade import measurements

OMPP = {
    "master": "execT execC",
    "region": "execT execC",
    "function": "execT execC",
    "atomic": "execT execC",
    "flush": "execT execC",
    "barrier": "execT execC taskT",
    "critical": "execT execC bodyT enterT exitT",
    "lock": "execT execC bodyT enterT exitT",
    "for": "execT execC bodyT exitBarT taskT",
    "for simd": "execT execC bodyT exitBarT taskT",
    "workshare": "execT execC bodyT exitBarT taskT",
    "single": "execT execC singleT singleC exitBarT taskT",
    "sections": "execT execC sectT sectC exitBarT mgmtT taskT",
    "parallel": "execT execC bodyT exitBarT startupT shutdwnT taskT",
    "parallel for": "execT execC bodyT exitBarT startupT shutdwnT taskT",
    "parallel for simd": "execT execC bodyT exitBarT startupT shutdwnT taskT",
    "parallel sections": "execT execC sectT sectC exitBarT startupT shutdwnT taskT",
}

OURS = {
    "ordered": "execT execC bodyT enterT exitT",
    "task": "execT execC createT createC",
    "taskwait": "execT execC taskT",
    "taskyield": "execT execC taskT",
    "taskgroup": "execT execC bodyT exitBarT taskT",
    "taskloop": "execT execC createT exitBarT taskT loopT loopC",
    "taskloop simd": "execT execC createT exitBarT taskT loopT loopC",
    "masked taskloop": "execT execC createT exitBarT taskT loopT loopC",
    "parallel master taskloop": ("execT execC bodyT exitBarT startupT shutdwnT taskT loopT loopC"),
    "scope": "execT execC bodyT exitBarT taskT",
    "masked": "execT execC",
    "simd": "execT execC",
    "loop": "execT execC",
    "teams": "execT execC",
    "distribute": "execT execC",
    "target": "execT execC",
    "target enter data": "execT execC",
    "dispatch": "execT execC",
    "cancellation point": "execT execC",
    "no such directive": "execT execC",
}

LOSSES = {
    "atomic": "execT:Sync",
    "flush": "execT:Sync",
    "barrier": "execT:Sync",
    "critical": "enterT:Sync exitT:Mgmt",
    "lock": "enterT:Sync exitT:Mgmt",
    "ordered": "enterT:Sync exitT:Mgmt",
    "for": "exitBarT:Imbal",
    "single": "exitBarT:Limpar",
    "sections": "exitBarT:Imbal mgmtT:Mgmt",
    "parallel": "exitBarT:Imbal startupT:Mgmt shutdwnT:Mgmt",
    "parallel for": "exitBarT:Imbal startupT:Mgmt shutdwnT:Mgmt",
    "parallel sections": "exitBarT:Imbal startupT:Mgmt shutdwnT:Mgmt",
    "master": "",
    "function": "",
    "task": "",
    "taskloop": "exitBarT:Sync",
    "taskwait": "execT:Sync",
    "taskyield": "execT:Sync",
    "taskgroup": "exitBarT:Sync",
    "scope": "exitBarT:Imbal",
    "no such directive": "",
}

COMPUTED = {"mgmtT"}
"""Columns that a formula computes from several fields; each has a test of its own."""


def _column(kind: str, name: str) -> ReportColumn:
    return next(column for column in columns_of(kind) if column.name == name)


@pytest.mark.parametrize(("kind", "names"), [*OMPP.items(), *OURS.items()])
def test_a_kind_shows_the_columns_of_ompp_or_of_the_extension(kind: str, names: str) -> None:
    assert " ".join(column.name for column in columns_of(kind)) == names


@pytest.mark.parametrize(("kind", "losses"), LOSSES.items())
def test_a_column_counts_for_its_class(kind: str, losses: str) -> None:
    lossy = [column for column in columns_of(kind) if column.overhead]
    assert " ".join(f"{c.name}:{c.overhead.value}" for c in lossy if c.overhead) == losses


@pytest.mark.parametrize("kind", COLUMNS)
def test_the_table_is_consistent(kind: str) -> None:
    columns = COLUMNS[kind]
    names = [column.name for column in columns]
    assert names[:2] == ["execT", "execC"]
    assert len(set(names)) == len(names)
    assert all(name[-1] in "TC" for name in names)
    assert ("startupT" in names) == ("shutdwnT" in names) == is_parallel(kind)
    for column in columns:
        assert column.is_count == isinstance(column.value(Measured()), int)
        if column.is_count:
            assert column.overhead is None
        if column.cost or column.scarce:
            assert column.overhead is not None


@pytest.mark.parametrize("kind", COLUMNS)
def test_a_column_bears_the_name_of_what_it_is_taken_from(kind: str) -> None:
    known = {field.name for field in fields(Measured)}
    renamed = {"singleT": "bodyT", "singleC": "bodyC", "sectT": "bodyT", "sectC": "bodyC"}
    renamed |= {"loopT": "exitT", "loopC": "bodyC"}
    for column in COLUMNS[kind]:
        source = renamed.get(column.name, column.name)
        if source in known:
            assert column.value(Measured(**{source: 7})) == 7
        else:
            assert column.name in COMPUTED, f"{column.name} is no field of Measured: COMPUTED?"


def test_every_directive_that_is_measured_has_a_row() -> None:
    kinds = {directive.words for directive in MEASURED} - {"section"}
    missing = kinds - set(COLUMNS)
    assert not missing, f"COLUMNS in pomp_clang/analysis/columns.py has no row for {missing}"


def test_what_is_left_of_sections_is_management() -> None:
    measured = Measured(execC=1, execT=10.0, bodyT=4.0, exitBarT=3.0, taskT=2.0)
    assert _column("sections", "mgmtT").value(measured) == 1.0
    assert _column("sections", "mgmtT").value(Measured(execT=1.0, bodyT=1.5)) == 0.0


@pytest.mark.parametrize("kind", ["barrier", "taskwait", "taskyield"])
def test_tasks_run_in_a_wait_are_taken_out_of_its_loss(kind: str) -> None:
    column = _column(kind, "execT")
    assert column.value(Measured(execT=3.0, taskT=1.0)) == 3.0
    assert column.lost(Measured(execT=3.0, taskT=1.0)) == 2.0


@pytest.mark.parametrize("kind", ["sections", "parallel sections"])
def test_too_few_sections_are_limited_parallelism(kind: str) -> None:
    column = _column(kind, "exitBarT")
    assert column.overhead_of(4, 4) is Overhead.IMBAL
    assert column.overhead_of(4, 5) is Overhead.IMBAL
    assert column.overhead_of(4, 3) is Overhead.LIMPAR


def test_only_sections_have_two_classes() -> None:
    scarce = {kind for kind, columns in COLUMNS.items() for c in columns if c.scarce}
    assert scarce == {"sections", "parallel sections"}


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("parallel", True), ("parallel for", True), ("for", False), ("target parallel", False)],
)
def test_who_opens_a_team(kind: str, expected: bool) -> None:
    assert is_parallel(kind) is expected
    assert not is_parallel("")


@given(measurements())
def test_no_construct_loses_more_than_its_time(measured: Measured) -> None:
    for columns in COLUMNS.values():
        lost = [column.lost(measured) for column in columns]
        assert all(seconds >= 0 for seconds in lost)
        assert sum(lost) <= measured.execT * (1 + 1e-12)
