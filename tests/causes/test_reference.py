"""The analysis agrees with the naive computation in tests/causes/reference, property by property,
call path by call path and thread by thread."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.causes.reference.__main__ import traced
from tests.causes.reference.compare import compared, of_folder
from tests.causes.reference.reference_run import reference_run_of
from tests.causes.scenarios import SCENARIOS, analysed
from tests.causes.scripts import told_to_wait, write_trace
from tests.compilers import links_openmp
from tests.random_programs.check import COMPILERS, Case
from tests.random_programs.grammar import program
from tests.random_programs.running import load

PROGRAMS = {
    "a worker that was seen first outside of regions": (561, "c++", "clang-19", "explicit"),
    "cancelled regions, and workers that carry others' roles on": (12, "c++", "gcc", "explicit"),
    "a worker whose team was canceled at the end": (31, "c", "gcc", "explicit"),
    "nested regions, tasks, taskgroups": (411, "c", "clang-19", "explicit"),
    "tasks and regions when a region was left": (2013, "c++", "clang-19", "ompt"),
}
"""Seed, language, compiler, and the source of barrier events."""


@pytest.mark.parametrize("what", PROGRAMS)
def test_random_programs(what: str, tmp_path: Path) -> None:
    seed, language, compiler, barriers = PROGRAMS[what]
    name = COMPILERS[language][compiler]
    if not links_openmp(name):
        pytest.skip(f"{name} with its OpenMP runtime is not here")
    load()
    program_ = program(seed, language, compiler, size=40)
    folder = traced(Case(program_, compiler, tmp_path, barriers=barriers))
    if folder is None:
        pytest.skip("the program fails")
    count, different = of_folder(folder)
    assert [str(difference) for difference in different] == []
    assert count > 300


@pytest.mark.parametrize("name", SCENARIOS)
def test_traces_written_by_hand(name: str, tmp_path: Path) -> None:
    run = analysed(SCENARIOS[name], tmp_path)
    whole = reference_run_of(tmp_path)
    whole.program.records = replace(
        whole.program.records, costs=run.records.costs, sums=run.records.sums
    )
    count, different = compared(run, whole)
    assert [str(difference) for difference in different] == []
    assert count > 10


def test_who_is_told_to_be_in_the_barrier_at_the_end(tmp_path: Path) -> None:
    write_trace(tmp_path, *told_to_wait())
    assert [str(difference) for difference in of_folder(tmp_path)[1]] == []
