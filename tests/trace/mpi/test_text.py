"""A job's events as lines: on the job's clock, as its page has them."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from pomp_clang.experiment import ExperimentError
from pomp_clang.trace.mpi.text import listing
from pomp_clang.trace.text import EventSelection
from tests.trace.mpi.handmade import Process
from tests.trace.mpi.test_clocks import MS, compared


def _lines(job: str, selection: EventSelection) -> list[str]:
    return "\n".join(listing(job, selection)).splitlines()


@pytest.fixture
def job(tmp_path: Path) -> str:
    """Write a job in which the second process's clock is 7 ms behind."""
    process = Process(0, 2)
    other = Process(1, 2, lag=7 * MS, texts=compared(0, 7 * MS, (20 * MS, 900 * MS)))
    process.send(100 * MS, 101 * MS, receiver=1)
    other.receive(90 * MS, 102 * MS, sender=0)
    for process_ in (process, other):
        process_.write(tmp_path)
    return str(tmp_path)


def moments(job: str, window: tuple[float, float] | None) -> list[str]:
    return [
        line.split()[0]
        for line in _lines(job, EventSelection(window=window))
        if line.startswith("   ")
    ]


def test_moments_are_those_of_the_job(job: str) -> None:
    assert moments(job, None) == [
        "0.100000000", "0.100000000", "0.101000000", "0.090000000", "0.090000000", "0.102000000",
    ]  # fmt: skip


def test_a_time_is_the_jobs(job: str) -> None:
    assert moments(job, (0.1005, 0.103)) == ["0.101000000", "0.102000000"]
    assert moments(job, (0.095, math.inf))[-1] == "0.102000000"
    text = _lines(job, EventSelection(window=(0.05, 0.095)))
    assert text.count("                no events from 0.05 s to 0.095 s") == 1
    with pytest.raises(ExperimentError, match="from 20 s on there is nothing: the program took 10"):
        _lines(job, EventSelection(window=(20, math.inf)))
