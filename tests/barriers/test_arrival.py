"""The wait at a parallel region's end, as it comes from the times at which its threads arrive."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from pomp_clang.experiment.model import Experiment, Measured
from pomp_clang.experiment.reader import read
from tests.barriers.harness import PROGRAMS
from tests.compilers import links_openmp
from tests.trace.agreement import disagreements

COMPILERS = ("clang-19", "gcc")
WAITS = {0: 0.0, 1: 0.2, 2: 0.1}
"""Seconds that each thread of late.c waits; the initial thread comes last."""


def _run(
    compiler: str, folder: Path, *words: str, source: str = "late.c", **settings: str
) -> Experiment:
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} is not here, or has no OpenMP runtime")
    program = folder / "late"
    command = [compiler, "-fopenmp", "-O1", str(PROGRAMS / source), "-o", str(program)]
    subprocess.run(
        ["pomp-clang", "--pomp-strict", "--pomp-barriers=arrival", "--", *command], check=True
    )
    environment = os.environ | {"POMP_EXPERIMENT_DIR": str(folder / "run")} | settings
    result = subprocess.run([str(program), *words], env=environment, timeout=60)
    assert result.returncode == (0 if words in ((), ("smaller",)) else -signal.SIGKILL)
    return read(str(folder / "run"))


def _check(rows: dict[tuple[str, int], Measured]) -> None:
    profile = {key: measured for key, measured in rows.items() if key[0] == "R00001"}
    assert len(profile) == 3
    last = profile["R00001", 0]
    for (_, tid), measured in profile.items():
        assert measured.exitBarT >= 0.5 * WAITS[tid]
        # All waits end at one moment, when the last thread arrives.
        until = measured.startupT + measured.bodyT + measured.exitBarT
        assert until == pytest.approx(last.startupT + last.bodyT + last.exitBarT, abs=1e-6)
        assert until + measured.shutdwnT == pytest.approx(measured.execT, abs=1e-6)
        assert measured.execT == pytest.approx(last.execT, abs=1e-6)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_thread_waits_from_its_arrival_until_the_last_one_arrives(
    compiler: str, tmp_path: Path
) -> None:
    experiment = _run(compiler, tmp_path, POMP_TRACE="1")
    _check(experiment.profile)
    assert experiment.regions[0].by_arrival
    assert not list(disagreements(tmp_path / "run"))


@pytest.mark.parametrize("compiler", COMPILERS)
def test_threads_that_wait_when_the_program_is_killed_are_booked(
    compiler: str, tmp_path: Path
) -> None:
    experiment = _run(compiler, tmp_path, "killed", POMP_TRACE="1")
    _check(experiment.profile)
    _check(experiment.snapshots[0].profile)
    assert not list(disagreements(tmp_path / "run"))


@pytest.mark.parametrize("words", ["afterwards", "with snapshot", "smaller"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_wait_ends_with_the_join_whether_its_thread_has_booked_it_or_not(
    compiler: str, words: str, tmp_path: Path
) -> None:
    experiment = _run(compiler, tmp_path, words, POMP_TRACE="1")
    _check(experiment.profile)
    for snapshot in experiment.snapshots:
        _check(snapshot.profile)
    assert not list(disagreements(tmp_path / "run"))


@pytest.mark.parametrize("words", [(), ("killed",)], ids=["ends", "killed"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_who_waits_at_a_regions_end_is_not_taken_for_who_begins_meanwhile(
    compiler: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    experiment = _run(compiler, tmp_path, *words, source="two_teams.c", POMP_TRACE="1")
    assert experiment.max_threads == 4
    assert not list(disagreements(tmp_path / "run"))
