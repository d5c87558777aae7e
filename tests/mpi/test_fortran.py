"""MPI calls from Fortran: by mpif.h, `use mpi` and mpi_f08, each measured once, as those from C."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from pomp_clang.mpi.variants import NAMES
from pomp_clang.trace.mpi.read_job import read
from tests.mpi.harness import MPIS, build, build_fortran, environment, moved, report, run
from tests.mpi.test_volumes import expected

BINDINGS = ("MPIF", "MODULE", "F08")
NP = 3
_ONCE = """
Allreduce Barrier Cart_create Cart_shift Comm_create_keyval Comm_dup Comm_free_keyval Comm_get_name
Comm_rank Comm_set_attr Comm_set_errhandler Comm_set_name Comm_split Error_string Finalize Get_count
Init_thread Iprobe Irecv Isend Op_create Op_free Recv_init Send Send_init Sendrecv_replace Startall
Testall Type_commit Type_create_hindexed Type_free Waitall Waitany Waitsome
"""
# Each call of conversions.F90 by one process.
CONVERSIONS = Counter(_ONCE.split())
CONVERSIONS.update(Comm_free=3, Comm_get_attr=2, Get_address=2, Request_free=2)
INT = 4


@cache
def calls(folder: Path) -> dict[int, Counter[str]]:
    """Return how often each process of a trace calls each function."""
    job = read(str(folder))
    ranks = job.rank_of(np.arange(len(job.calls.function)))
    counted: dict[int, Counter[str]] = {}
    for rank, function in zip(ranks.tolist(), job.calls.function.tolist(), strict=True):
        counted.setdefault(rank, Counter())[NAMES[function].removeprefix("MPI_")] += 1
    return counted


@pytest.fixture(scope="module", params=MPIS)
def from_c(
    request: pytest.FixtureRequest, programs: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, dict[int, Counter[str]]]:
    """Return an MPI, and the calls of volumes.c."""
    folder = tmp_path_factory.mktemp("volumes") / "run"
    run(build(request.param, "volumes", programs), NP, folder, POMP_TRACE="1")
    return request.param, calls(folder)


@pytest.mark.parametrize("binding", BINDINGS)
def test_each_call_is_measured_once_with_its_bytes(
    from_c: tuple[str, dict[int, Counter[str]]], programs: Path, tmp_path: Path, binding: str
) -> None:
    mpi, of_c = from_c
    run(build_fortran(mpi, "volumes", programs, binding), NP, tmp_path / "run", POMP_TRACE="1")
    document = report(tmp_path / "run")
    for rank in range(NP):
        assert moved(document, rank) == expected(NP, rank, False), rank
    assert calls(tmp_path / "run") == of_c


@pytest.mark.parametrize("binding", ["MPIF", "F08"])
@pytest.mark.parametrize("mpi", MPIS)
def test_arguments_are_converted_by_the_mpi(
    programs: Path, tmp_path: Path, mpi: str, binding: str
) -> None:
    program = build_fortran(mpi, "conversions", programs, binding)
    output = run(program, 2, tmp_path / "run", POMP_TRACE="1").stdout
    assert output.split() == ["right", "right"]
    assert calls(tmp_path / "run") == {0: CONVERSIONS, 1: CONVERSIONS}
    message = (INT, INT, 1, 1, 0)
    for rank in range(2):
        assert moved(report(tmp_path / "run"), rank) == {
            "in_place": (2 * INT, 2 * INT, 0, 0, 1),
            "waitall": (2 * INT, 2 * INT, 1, 1, 0),
            "waitany": (INT, 0, 1, 0, 0),
            "waitsome": (0, INT, 0, 1, 0),
            "bottom": (3 * INT, 3 * INT, *message[2:]),
            "failed": (0, 0, 0, 0, 0),
        }


@pytest.mark.parametrize("mpi", MPIS)
def test_a_late_sender_and_a_late_barrier_are_found_at_their_lines(
    programs: Path, tmp_path: Path, mpi: str
) -> None:
    run(build_fortran(mpi, "late", programs), 2, tmp_path / "run", POMP_TRACE="1")
    text, document = (
        _analyzed(tmp_path / "run", *how) for how in (["--all"], ["--format", "json"])
    )
    worst = {
        row["name"]: row["instances"][0]
        for row in json.loads(document)["properties"]
        if row["instances"] and "MPI" in row["path"]
    }
    late, barrier = worst["Late Sender"], worst["Wait at Barrier"]
    assert (late["process"], late["callpath"]) == (1, ["parallel", "master", "MPI_Recv"])
    assert "at function MPI_Recv\n      in parallel late.F90:18 > master late.F90:19\n" in text
    assert (barrier["process"], barrier["callpath"]) == (0, ["critical", "MPI_Barrier"])
    assert "at function MPI_Barrier\n      in critical (meeting) late.F90:29\n" in text
    for instance in (late, barrier):
        assert 0.2 < instance["severity"] < 1


def _analyzed(folder: Path, *options: str) -> str:
    command = ["pomp-clang", "analyze", str(folder), *options]
    result = subprocess.run(command, check=True, capture_output=True, text=True, env=environment())
    return result.stdout


@pytest.mark.parametrize("mpi", MPIS)
def test_figure_6_of_the_paper(programs: Path, tmp_path: Path, mpi: str) -> None:
    run(build_fortran(mpi, "figure6", programs, "MPIF"), 2, tmp_path / "run")
    sender, receiver = report(tmp_path / "run")["processes"]
    (critical,) = (region for region in sender["regions"] if region["kind"] == "critical")
    for thread in critical["threads"]:
        assert (thread["outV"], thread["sendC"], thread["execC"]) == (10 << 20, 10, 10)
        assert 0 < thread["mpiT"] <= thread["bodyT"]
    assert (critical["sum"]["outV"], critical["sum"]["sendC"]) == (40 << 20, 40)
    assert (receiver["mpi"]["inV"], receiver["mpi"]["recvC"]) == (40 << 20, 40)
