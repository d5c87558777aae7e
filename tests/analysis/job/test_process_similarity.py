"""Groups of processes that behave alike, and what it is that differs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pomp_clang.analysis.columns import Overhead
from pomp_clang.analysis.job import JobProfile, ProcessProfile, over_processes
from pomp_clang.analysis.job.process_similarity import (
    MPI,
    OPENMP,
    TOLERANCE,
    WORK,
    differences,
    likeness,
    outlying,
)
from pomp_clang.analysis.overheads import loss_of_class
from pomp_clang.analysis.run import analyze_run
from tests.jobs import job, process, uneven, waits_for_lock


def lone_parts(**seconds: list[float]) -> JobProfile:
    """Return processes of ten seconds that have nothing but parts of their time."""
    count = len(next(iter(seconds.values())))
    parts = []
    for rank in range(count):
        run = analyze_run(replace(process(rank, count), regions=(), profile={}, callpaths=()))
        times = {name: values[rank] for name, values in seconds.items()}
        lost = tuple(times.get(class_.value, 0.0) for class_ in run.breakdown.classes)
        breakdown = replace(
            run.breakdown,
            work=times.get("Work", 0.0),
            serial=0.0,
            lost=lost,
            unused=(times.get("Idle", 0.0),),
            spared=(),
        )
        parts.append(ProcessProfile(rank, replace(run, breakdown=breakdown)))
    return over_processes(parts, ())


@pytest.mark.parametrize("size", [30, 300])
def test_groups_are_those_that_the_job_was_made_of(size: int) -> None:
    actual = likeness(job(size))
    groups = {group.members for group in actual.groups}
    late = tuple(rank for rank in range(size) if uneven(rank) > 1)
    lonely = tuple(rank for rank in range(size) if waits_for_lock(rank))
    rest = tuple(rank for rank in range(size) if rank not in late + lonely)
    assert groups == {rest, late, lonely}
    assert actual.groups[0].members == rest
    assert not actual.are_similar


def test_everybody_is_near_the_example_of_his_group() -> None:
    job_profile = job(40)
    actual = likeness(job_profile)
    parts = [process.run.parts() for process in job_profile.processes]
    for group in actual.groups:
        for member in group.members:
            for name in ("Work", "Sync", "MPI"):
                deviation = abs(parts[member][name] - parts[group.example][name])
                assert deviation <= TOLERANCE * actual.longest_total


def test_a_job_of_like_processes_is_one_group() -> None:
    actual = likeness(lone_parts(Work=[20.0, 20.1, 20.3], MPI=[10.0, 9.9, 9.7]))
    assert actual.are_similar
    assert [group.members for group in actual.groups] == [(0, 1, 2)]
    assert actual.furthest == (pytest.approx(0.2 / 40), 2)


def test_what_differs_most_is_named() -> None:
    alike = [10.0] * 4
    assert likeness(lone_parts(Work=[10.0, 12.0, 10.0, 9.0], MPI=alike)).subject == WORK
    assert likeness(lone_parts(Sync=[10.0, 12.0, 10.0, 9.0], MPI=alike)).subject == OPENMP
    actual = likeness(lone_parts(MPI=[1.0, 5.0, 2.0, 9.0], Imbal=alike))
    assert actual.subject == MPI
    mpi = actual.subjects[MPI]
    assert (mpi.minimum, mpi.minimum_at, mpi.maximum, mpi.maximum_at) == (1.0, 0, 9.0, 3)


def test_less_of_one_part_where_there_is_more_mpi() -> None:
    """Figure 9 of the paper: imbalance and MPI are constant together."""
    actual = likeness(lone_parts(MPI=[1.0, 5.0, 3.0], Imbal=[6.0, 2.1, 4.0], Work=[9.0, 9.5, 8.8]))
    assert actual.exchange is not None
    assert actual.exchange.part == "Imbal"
    assert actual.exchange.both.width == pytest.approx(0.1)
    assert likeness(lone_parts(MPI=[1.0, 5.0, 3.0], Imbal=[1.0, 2.0, 1.5])).exchange is None


def test_groups_are_limited() -> None:
    spread = [float(rank) for rank in range(40)]
    assert len(likeness(lone_parts(Work=spread)).groups) == 8


def test_outliers_are_few_and_far() -> None:
    values = [1.0, 1.1, 0.9, 1.0, 1.05, 7.0]
    assert outlying(values, 0.1) == (5,)
    assert outlying(values, 10.0) == ()
    assert outlying([1.0] * 10 + [7.0] * 3, 0.1) == ()
    assert outlying([1.0, 7.0, 1.0], 0.1) == ()


def test_differences_name_the_outlier() -> None:
    actual = {
        difference.subject: difference
        for difference in differences(job(40))
        if isinstance(difference.subject, str)
    }
    sync = actual[Overhead.SYNC.value]
    assert (sync.minimum[0], sync.maximum) == (pytest.approx(0.2), (pytest.approx(6.0), 17))
    assert (sync.out, actual["Work"].out) == ((17,), ())
    assert sync.median == pytest.approx(0.2)


def test_what_a_region_loses_is_the_sum_over_processes() -> None:
    job_profile = job(20)
    (critical,) = (
        region.region.id for region in job_profile.regions if region.region.kind == "critical"
    )
    assert job_profile.exclusive[critical].total == pytest.approx(19 * 4 * 0.05 + 4 * 1.5)
    assert job_profile.exclusive[critical] == loss_of_class(
        Overhead.SYNC, job_profile.exclusive[critical].total
    )
