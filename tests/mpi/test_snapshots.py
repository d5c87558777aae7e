"""Profiles in between tell what had been done in MPI by then."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.analysis.timeline import timeline
from pomp_clang.experiment.model import Experiment, Measured
from pomp_clang.experiment.reader import read
from tests.mpi.harness import MPIS, build, run

STEPS, THREADS = 3, 2


def _sums(experiment: Experiment, name: str) -> list[Measured]:
    """Return a region's values in each snapshot, summed over the threads."""
    (region,) = (region.id for region in experiment.regions if region.sub_name == name)
    profiles = [snapshot.profile for snapshot in experiment.snapshots]
    return [
        Measured(
            collC=sum(profile.get((region, tid), Measured()).collC for tid in range(THREADS)),
            inV=sum(profile.get((region, tid), Measured()).inV for tid in range(THREADS)),
            mpiT=sum(profile.get((region, tid), Measured()).mpiT for tid in range(THREADS)),
        )
        for profile in profiles
    ]


@pytest.mark.parametrize("mpi", MPIS)
def test_calls_up_to_each_profile(programs: Path, tmp_path: Path, mpi: str) -> None:
    run(build(mpi, "snapshots", programs), 2, tmp_path / "run")
    measured = read(str(tmp_path / "run" / "rank-1"))
    assert len(measured.snapshots) == STEPS + 1
    assert measured.mpi
    steps = _sums(measured, "step")
    done = [THREADS * factor for factor in (1, 2, 3, 3)]
    assert [step.collC for step in steps] == done
    assert [step.inV for step in steps] == [4 * count for count in done]
    # A call under way at a snapshot counts as MPI time since the call began.
    before, inside = (values.mpiT for values in _sums(measured, "inside")[-2:])
    assert before == 0.0
    assert 0.02 <= inside <= measured.duration
    actual = [snapshot.mpi.total.mpiT for snapshot in measured.snapshots if snapshot.mpi]
    assert len(actual) == STEPS + 1
    assert actual == sorted(actual)
    assert actual[-1] <= measured.mpi.total.mpiT
    steps_of_time = timeline(measured, 10)
    assert sum(step.parts["MPI"] for step in steps_of_time) == pytest.approx(
        measured.mpi.total.mpiT, rel=1e-6
    )
