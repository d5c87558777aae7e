"""Random programs, with nested teams, tasks, cancellation and locks: what their traces' severities
must be whatever they do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from pomp_clang.causes.cube.cube import Cube, compute
from pomp_clang.causes.findings.finding import Finding
from pomp_clang.causes.findings.findings import findings
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.run.gather import gather
from pomp_clang.causes.run.run import Run
from pomp_clang.causes.waits.find_critical_path import critical_time
from pomp_clang.causes.waits.wait_graph import graph_of
from pomp_clang.causes.what_if.predict_gain import gain_of
from pomp_clang.causes.what_if.simulate import ChangedTrace, end_of, tail_of
from pomp_clang.trace.reader import read
from tests.compilers import links_openmp
from tests.random_programs.check import COMPILERS, UNFIT, Case, complaints
from tests.random_programs.fuzz import KINDS
from tests.random_programs.grammar import program
from tests.random_programs.running import load, run

CLOSE = 1e-6
"""Seconds: what adds up otherwise than in the runtime may differ by some ticks for each visit."""


def traced(seed: int, language: str, compiler: str, folder: Path) -> Run:
    name = COMPILERS[language][compiler]
    if not links_openmp(name):
        pytest.skip(f"{name} with its OpenMP runtime is not here")
    load()
    case = Case(program(seed, language, compiler, size=40), compiler, folder)
    result = list(complaints(case))
    if any(UNFIT in text for text in result):
        pytest.skip(result[0].partition("\n")[0])
    assert not result
    run(["./measured"], folder, **case.environment, POMP_EXPERIMENT_DIR="traced", POMP_TRACE="1")
    return gather(read(str(folder / "traced")))


def gains_of(run: Run, cube: Cube) -> Iterator[tuple[Finding, float]]:
    kinds = properties()
    for finding in findings(cube):
        gain = gain_of(run, kinds[finding.metric], finding.path)
        if gain is not None:
            yield finding, gain


def totals(cube: Cube) -> dict[tuple[str, ...], float]:
    totals = cube.totals()
    return {tuple(cube.metric_path(row)): float(total) for row, total in enumerate(totals)}


@pytest.mark.parametrize(("language", "compiler"), KINDS)
@pytest.mark.parametrize("seed", [301, 405, 407, 411])
def test_severities_add_up(seed: int, language: str, compiler: str, tmp_path: Path) -> None:
    run = traced(seed, language, compiler, tmp_path)
    cube = compute(run, properties())
    assert totals(cube)["Time",] == pytest.approx(cube.reserved, abs=CLOSE)
    for row, metric in enumerate(cube.metrics):
        assert (cube.dense(row) > -CLOSE).all(), cube.metric_path(row)
        if metric.above >= 0:
            assert (cube.dense(row) <= cube.dense(metric.above) + CLOSE).all(), metric
    by_thread = cube.dense(0).sum(axis=0)
    assert (by_thread <= cube.duration + CLOSE).all()
    if cube.width == len(cube.threads):
        assert np.allclose(by_thread, cube.duration, atol=CLOSE)
    assert critical_time(run).sum() == pytest.approx(run.duration, rel=1e-6)
    # Work that moves to another thread also shortens waits at other places: for locks, for tasks
    # and for threads that came late for such a wait.
    in_openmp = totals(cube)["Time", "Execution", "OpenMP"]
    for finding, gain in gains_of(run, cube):
        most = min(finding.severity + in_openmp, cube.duration)
        assert gain <= most + CLOSE, cube.metric_path(finding.metric)
    graph = graph_of(run)
    same = ChangedTrace(graph.work, graph.lag, graph.kind < 0, tail_of(run, graph))
    assert end_of(run, graph, same) / run.second == pytest.approx(run.duration, rel=0.05)
