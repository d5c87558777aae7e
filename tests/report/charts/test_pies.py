"""The pies of overheads: whose they are, and their slices."""

from __future__ import annotations

import pytest

from pomp_clang.analysis.job.process_similarity import likeness
from pomp_clang.report.charts.overhead_charts import PIE_RADIUS, pies_of, slices
from tests.jobs import job


def test_few_processes_have_one_each_and_many_one_for_a_group() -> None:
    few, many = job(8), job(300)
    assert [p.label for p in pies_of(few, likeness(few)).pies] == [f"rank {n}" for n in range(8)]
    drawn = pies_of(many, likeness(many)).pies
    assert [drawing.note for drawing in drawn] == [
        "and 268 processes like it", "and 29 processes like it", "and none like it",
    ]  # fmt: skip


def test_a_slice_is_a_class_of_overhead() -> None:
    job_profile = job(20)
    drawn = {pie.label: pie for pie in pies_of(job_profile, likeness(job_profile)).pies}
    odd = {slice_.style: float(slice_.percent) for slice_ in drawn["rank 17"].slices}
    assert set(odd) == {"sync", "imbal", "mpi"}
    lost = job_profile.processes[17].run.analysis.lost
    assert odd["sync"] == pytest.approx(100 * 6.0 / lost.total, abs=0.06)
    assert sum(odd.values()) == pytest.approx(100, abs=0.2)


def test_slices_follow_clockwise_from_the_top() -> None:
    half, quarter, last = slices([("sync", 2.0), ("imbal", 1.0), ("mpi", 1.0)])
    assert half.path == f"M0 0L0 -{PIE_RADIUS}A{PIE_RADIUS} {PIE_RADIUS} 0 0 1 0 {PIE_RADIUS}Z"
    assert quarter.path.startswith(f"M0 0L0 {PIE_RADIUS}A")
    assert quarter.path.endswith(" -50 0Z")
    assert last.percent == "25.0"


def test_a_whole_is_a_circle_and_what_cannot_be_seen_is_left_out() -> None:
    (only,) = slices([("sync", 1.0), ("mpi", 0.0002)])
    assert only.path.count("A") == 2
    assert slices([("sync", 0.0)]) == ()
