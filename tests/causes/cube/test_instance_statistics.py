"""Instances in numbers: how many, how they are spread, when the worst were."""

from __future__ import annotations

import json
import statistics
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from pomp_clang.causes.cube.algebra import aligned, cut, merge
from pomp_clang.causes.cube.cube import Cube, compute
from pomp_clang.causes.cube.instance_statistics import EACH, InstanceTables, Statistics, together
from pomp_clang.causes.cube.instance_statistics_compute import instance_tables_of, tables_of_piece
from pomp_clang.causes.cube.store import load, save
from pomp_clang.causes.properties import mpi, openmp, time
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.properties.registry import occurrences_of, parts_of, properties
from pomp_clang.causes.run.instance import Instances
from pomp_clang.causes.run.run import Run
from pomp_clang.cli.analyze import command
from tests.causes.job.test_job_instances import JobInstances
from tests.causes.mpi_jobs import swept
from tests.causes.properties.test_property_instances import everything
from tests.causes.scenarios import SCENARIOS, analysed
from tests.causes.scripts import (
    BARRIER,
    PARALLEL,
    Stream,
    barrier,
    begin,
    departing,
    ending,
    fork,
    member,
    run_of,
)

KINDS = properties()
TEAM = 1 << 40 | 1

LATE = (0.5, 0.25, 1.5, 0.25, 0.125)
"""Seconds that the worker comes late to barriers at 1, 2, 3, 5 and 6."""


def late(*lates: float) -> list[Stream]:
    starts = (1, 2, 3, 5, 6)
    meetings = list(zip(starts, lates, strict=False))
    master = [event for at, by in meetings for event in barrier(BARRIER, at, at + by)]
    worker = [event for at, by in meetings for event in barrier(BARRIER, at + by, at + by)]
    return [
        [fork(0.5, PARALLEL, TEAM), begin(0.5, PARALLEL), *master, *ending(PARALLEL, TEAM, 9, 9, 9)],
        [member(0.5, PARALLEL, TEAM, 0.5), *worker, *departing(PARALLEL, 9, 9)],
    ]  # fmt: skip


def cube_of(run: Run) -> Cube:
    cube = compute(run, KINDS)
    return replace(cube, instances=instance_tables_of(run, KINDS, cube))


def row_of(kind: type[Property]) -> int:
    return KINDS.index(kind)


def same(a: InstanceTables | None, b: InstanceTables | None) -> bool:
    assert a is not None and b is not None
    return all(np.array_equal(one, other) for one, other in zip(a.tables, b.tables, strict=True))


def test_waits_at_a_barrier_by_hand(tmp_path: Path) -> None:
    """The mean of 0.125, 0.25, 0.25, 0.5 and 1.5 s is 0.525. The squared distances from the mean
    sum up to 0.16 + 2 x 0.075625 + 0.000625 + 0.950625."""
    cube = cube_of(run_of(tmp_path, *late(*LATE)))
    statistics = cube.statistics(row_of(openmp.ExplicitWait))
    assert statistics is not None
    assert (statistics.count, statistics.sum, statistics.mean) == (5, 2.625, 0.525)
    assert statistics.deviation == pytest.approx((1.2625 / 5) ** 0.5)
    assert (statistics.least, statistics.lower, statistics.median) == (0.125, 0.25, 0.25)
    assert (statistics.upper, statistics.most) == (0.5, 1.5)
    actual = [
        (
            cube.paths[instance.path].line,
            instance.process,
            instance.thread,
            instance.begin,
            instance.end,
            instance.severity,
        )
        for instance in cube.worst(row_of(openmp.ExplicitWait))
    ]
    assert actual == [(40, 0, 0, 3, 4.5, 1.5), (40, 0, 0, 1, 1.5, 0.5), (40, 0, 0, 2, 2.25, 0.25)]


def test_between_two_is_the_middle(tmp_path: Path) -> None:
    cube = cube_of(run_of(tmp_path, *late(0.5, 0.25, 1.5, 0.25)))
    statistics = cube.statistics(row_of(openmp.ExplicitWait))
    assert statistics is not None
    assert (statistics.lower, statistics.median, statistics.upper) == (0.25, 0.375, 0.75)


def test_the_whole_has_its_parts(tmp_path: Path) -> None:
    """Wait at Barrier, explicit and implicit, and Wait for Tasks."""
    cube = cube_of(run_of(tmp_path, *everything()))
    parts = (
        openmp.ExplicitWait, openmp.ExplicitUnfinished, openmp.ImplicitWait, openmp.ImplicitUnfinished,
    )  # fmt: skip
    actual = [cube.statistics(row_of(part)) for part in parts]
    counts = [statistics.count if statistics else 0 for statistics in actual]
    whole = cube.statistics(row_of(openmp.Explicit))
    assert whole is not None and counts[0] + counts[1] <= whole.count


@pytest.mark.parametrize("name", [*SCENARIOS, "everything"])
def test_sums_are_the_severities_and_figures_those_of_the_instances(
    name: str, tmp_path: Path
) -> None:
    run = (
        run_of(tmp_path, *everything())
        if name == "everything"
        else analysed(SCENARIOS[name], tmp_path)
    )
    cube = cube_of(run)
    for metric, kind in enumerate(KINDS):
        every = occurrences_of(kind, run, KINDS)
        if not all(kind.instances_are_counted for kind in parts_of_all(kind, run)):
            assert cube.statistics(metric) is None
            continue
        for path in range(len(run.paths)):
            severity = every.severity[every.path == path].tolist()
            statistics = cube.statistics(metric, path)
            if not severity:
                assert statistics is None and cube.worst(metric, path) == ()
                continue
            check(statistics, severity)
            assert statistics is not None
            assert statistics.sum == pytest.approx(
                cube.dense(metric)[path].sum(), rel=1e-9, abs=1e-12
            )
            worst = [instance.severity for instance in cube.worst(metric, path)]
            assert worst == sorted(severity, reverse=True)[:EACH]


def parts_of_all(kind: type[Property], run: Run) -> list[type[Property]]:
    """Return the property itself, and the properties whose instances are its own."""
    parts = parts_of(kind, KINDS, run)
    return [kind, *(own for part in parts for own in parts_of_all(part, run))]


def check(actual: Statistics | None, severity: list[float]) -> None:
    assert actual is not None
    assert actual.count == len(severity)
    assert actual.mean == pytest.approx(statistics.fmean(severity))
    deviation = statistics.pstdev(severity)
    assert actual.deviation == pytest.approx(deviation, rel=1e-6, abs=1e-6 * actual.mean)
    assert (actual.least, actual.most) == (min(severity), max(severity))
    quartiles = np.quantile(severity, [0.25, 0.5, 0.75])
    assert (actual.lower, actual.median, actual.upper) == pytest.approx(quartiles, rel=1 / 16)


@settings(max_examples=100, deadline=None)
@given(
    rows=st.lists(
        st.tuples(st.integers(0, 3), st.floats(1e-9, 1e4), st.integers(0, 100)),
        min_size=1,
        max_size=60,
    ),
    where=st.integers(0, 60),
)
def test_pieces_make_what_all_at_once_make(
    rows: list[tuple[int, float, int]], where: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Any instances at four call paths, in two pieces and in one, as figures computed plainly."""
    run = _RUN.setdefault("run", run_of(tmp_path_factory.mktemp("run"), *everything()))
    path, severity, begin = (np.array(column) for column in zip(*rows, strict=True))
    every = Instances(np.zeros(len(rows), np.int64), path, begin, begin + 1, severity)
    halves = [every.take(part) for part in np.split(np.arange(len(rows)), [min(where, len(rows))])]
    whole = tables_of_piece(run, 5, every)
    parted = together([tables_of_piece(run, 5, halve) for halve in halves])
    for row in set(path.tolist()):
        severities = severity[path == row].tolist()
        for tables in (whole, parted):
            check(tables.statistics(5, row), severities)
            worst = [one.severity for one in tables.worst_of(run.threads, 5, row)]
            assert worst == sorted(severities, reverse=True)[:EACH]


_RUN: dict[str, Run] = {}


def test_of_equal_ones_the_first_are_kept(tmp_path: Path) -> None:
    cube = cube_of(run_of(tmp_path, *late(0.25, 0.25, 0.25, 0.25, 0.25)))
    assert [instance.begin for instance in cube.worst(row_of(openmp.ExplicitWait))] == [1, 2, 3]


def test_what_is_shared_has_no_instances_of_its_own(tmp_path: Path) -> None:
    cube = cube_of(run_of(tmp_path, *everything()))
    names = {
        metric.name for row, metric in enumerate(cube.metrics) if cube.statistics(row) is not None
    }
    assert {"Overhead", "Overload", "Critical path", "Time", "Visits"}.isdisjoint(names)
    assert {"Synchronizations", "Critical", "Contention", "Delay costs"} <= names


def test_saved_and_read_again_they_are_the_same(tmp_path: Path) -> None:
    cube = cube_of(run_of(tmp_path, *everything()))
    save(cube, str(tmp_path))
    assert same(load(str(tmp_path)).instances, cube.instances)


def test_a_job_has_those_of_its_processes(tmp_path: Path) -> None:
    """Rank 1 waits for rank 0's message, on the job's clock; a saved cube has that wait, too."""
    script = swept(tmp_path)
    script.offsets = (0.0, 0.0)
    cube = JobInstances(script).cube
    statistics = cube.statistics(row_of(mpi.LateSender))
    assert statistics == Statistics(1, 4, 4, 0, 4, 4, 4, 4, 4)
    (worst,) = cube.worst(row_of(mpi.LateSender))
    assert (worst.process, worst.thread, worst.begin, worst.end) == (1, 0, 2, 6)
    assert cube.word_of(worst.path) == "MPI_Recv"
    partner = worst.partner
    assert partner is not None and cube.word_of(partner.path) == "MPI_Send"
    assert (partner.process, partner.thread, partner.begin) == (0, 0, 6)
    idle = cube.statistics(KINDS.index(next(k for k in KINDS if k.name == "Idle Threads")))
    assert idle is not None and idle.sum == pytest.approx(14)
    save(cube, str(tmp_path))
    again = load(str(tmp_path))
    assert same(again.instances, cube.instances)
    assert again.worst(row_of(mpi.LateSender)) == (worst,)


def test_jobs_that_are_put_together_keep_their_partners(tmp_path: Path) -> None:
    """The second's processes are numbered after the first's two."""
    cube = JobInstances(swept(tmp_path)).cube
    both = merge([cube, cube])
    late_sender = row_of(mpi.LateSender)
    assert [
        (instance.process, instance.partner and instance.partner.process)
        for instance in both.worst(late_sender)
    ] == [(1, 0), (3, 2)]
    statistics = both.statistics(late_sender)
    assert statistics is not None and (statistics.count, statistics.sum, statistics.median) == (
        2,
        8,
        4,
    )


def test_merged_or_aligned_with_another_run_they_are_its_own(tmp_path: Path) -> None:
    first = cube_of(run_of(tmp_path / "a", *late(0.5, 0.25)))
    second = cube_of(run_of(tmp_path / "b", *late(1.0)))
    kind = row_of(openmp.ExplicitWait)
    whole = merge([first, second]).statistics(kind)
    assert whole is not None
    assert (whole.count, whole.sum, whole.least, whole.median) == (3, 1.75, 0.25, 0.5)
    assert whole.deviation == pytest.approx(statistics.pstdev([0.5, 0.25, 1.0]))
    a, b = aligned(first, second)
    assert a.statistics(kind) == first.statistics(kind)
    assert b.statistics(kind) == second.statistics(kind)
    assert a.worst(kind)[0].begin == 1


def test_a_part_of_a_cube_has_what_is_of_it_alone(tmp_path: Path) -> None:
    cube = cube_of(run_of(tmp_path, *everything()))
    critical, waits = row_of(openmp.Critical), row_of(openmp.ExplicitWait)
    only = cut(cube, metrics=[critical])
    assert only.statistics(waits) is None
    assert only.statistics(critical) == cube.statistics(critical)
    assert cut(cube, threads=[0]).statistics(critical) is None


def by_place(document: dict[str, Any]) -> dict[tuple[str, ...], tuple[Any, Any]]:
    return {
        (*cause["path"], *cause["callpath"]): (cause["statistics"], cause["instances"])
        for cause in document["causes"]
    }


def test_what_is_saved_is_shown_as_what_was_computed(tmp_path: Path) -> None:
    """The figures and the worst instances of each property, place and cause."""
    run_of(tmp_path, *everything())
    run = CliRunner().invoke
    computed = json.loads(run(command, [str(tmp_path), "--top", "99", "--format", "json"]).output)
    for file in tmp_path.glob("trace-*"):
        file.unlink()
    saved = json.loads(run(command, [str(tmp_path), "--top", "99", "--format", "json"]).output)
    assert saved["properties"] == computed["properties"]
    assert computed["causes"]
    assert by_place(saved).items() >= by_place(computed).items()
    text = run(command, [str(tmp_path), "--all"]).output
    assert "from 8.500 to 9.000 s" in " ".join(text.split()) and "on the time line" not in text


def test_synchronizations_are_counted_one_by_one(tmp_path: Path) -> None:
    cube = cube_of(run_of(tmp_path, *late(*LATE)))
    statistics = cube.statistics(row_of(time.Synchronizations))
    assert statistics is not None and statistics.count == statistics.sum and statistics.most == 1
