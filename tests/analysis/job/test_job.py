"""The processes of a job beside one another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pomp_clang.analysis.job import JobProfile, ProcessProfile, job_of, over_processes
from pomp_clang.analysis.job.process_similarity import differences
from pomp_clang.analysis.run import analyze_run
from pomp_clang.experiment.model import Experiment, Measured, MpiCalls, MpiProfile
from tests.handmade import call_paths, experiment, region


def process(seconds: float, mpi: float) -> Experiment:
    """Return a parallel region with a critical section in it, where one of two threads calls
    MPI."""
    calls = MpiCalls(mpi, 8, 16, 1, 2, 3)
    inside = Measured(execC=1, execT=mpi, bodyT=mpi, mpiT=mpi, mpiOwnT=mpi, outV=16, sendC=2)
    outside = Measured(execC=1, execT=seconds, bodyT=seconds, mpiT=mpi, outV=16, sendC=2)
    by_path = {("C00001", 0): outside, ("C00001", 1): outside, ("C00002", 0): inside}
    run = experiment(
        [region("R00001", "parallel", 1, 9), region("R00002", "critical", 3, 5)],
        {(("R00001", "R00002")[path == "C00002"], tid): m for (path, tid), m in by_path.items()},
        threads=2,
    )
    return replace(
        run,
        duration=seconds,
        callpaths=call_paths("R00001\n  R00002"),
        callpath_profile=by_path,
        mpi=MpiProfile(0, 2, "an MPI", "multiple", "naive", {("C00002", 0): calls}),
    )


@pytest.fixture
def two() -> JobProfile:
    runs = (analyze_run(process(4.0, 1.0)), analyze_run(process(5.0, 3.0)))
    return over_processes([ProcessProfile(rank, run) for rank, run in enumerate(runs)], ())


def test_regions_have_a_row_for_each_process(two: JobProfile) -> None:
    parallel, critical = two.regions
    assert (parallel.region.kind, critical.region.kind) == ("parallel", "critical")
    assert [row.measured.execT for row in parallel.rows] == [8.0, 10.0]
    names = [column.name for column in critical.columns]
    assert names[-6:] == ["mpiT", "inV", "outV", "recvC", "sendC", "collC"]
    assert critical.total[names.index("mpiT")] == 4.0
    assert critical.total[names.index("outV")] == 32
    assert (two.mpi, two.duration, two.size) == (MpiCalls(4.0, 16, 32, 2, 4, 6), 5.0, 2)


def test_mpi_is_a_part_of_the_time_and_the_region_around_pays(two: JobProfile) -> None:
    run = two.processes[1].run
    assert run.parts()["MPI"] == 3.0
    assert sum(run.parts().values()) == pytest.approx(10.0)
    assert run.analysis.regions[0].lost.seconds[-1] == 3.0


def test_where_they_differ_most_comes_first(two: JobProfile) -> None:
    actual = differences(two)
    text = {
        difference.subject: difference
        for difference in actual
        if isinstance(difference.subject, str)
    }
    assert (text["MPI"].minimum, text["MPI"].maximum) == ((1.0, 0), (3.0, 1))
    assert [difference.seconds for difference in actual] == sorted(
        (e.seconds for e in actual), reverse=True
    )


def test_what_cannot_be_read_is_told_and_the_rest_is_there(tmp_path: Path) -> None:
    (tmp_path / "rank-0").mkdir()
    (tmp_path / "rank-0" / "profile.pomp").write_bytes(b"")
    job = job_of([str(tmp_path / "rank-0")])
    assert job.processes == ()
    assert "is empty" in job.missing[0]
