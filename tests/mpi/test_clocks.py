"""Clocks of a job whose processes do not all take part, and of several machines."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pomp_clang.experiment.find import processes, rank_of
from pomp_clang.experiment.parse import load
from pomp_clang.trace.mpi.clocks import Member, member_of
from pomp_clang.trace.mpi.correct import count_backwards
from pomp_clang.trace.mpi.read_job import read
from tests.mpi.harness import MPIS, build, environment, idle, launched, plain, report

SECOND = 1_000_000_000
MICROSECOND = 1000
TIMES = 20
"""Messages of each process of the ring."""


def launch(mpi: str, folder: Path, *parts: str) -> None:
    """Run a job of several programs, each a number of processes and a command."""
    command = [*launched(mpi), *" : ".join(f"-n {part}" for part in parts).split()]
    result = environment(POMP_EXPERIMENT_DIR=str(folder), LD_PRELOAD=idle())
    completed = subprocess.run(command, env=result, capture_output=True, text=True, timeout=120)
    assert (completed.returncode, completed.stdout) == (0, ""), completed.stderr


def members(folder: Path) -> list[Member]:
    result = ((rank_of(process), load(process)) for process in processes(str(folder)))
    return [member_of(rank, records) for rank, records in result if rank is not None]


@pytest.mark.parametrize("mpi", MPIS)
def test_who_takes_no_part_is_not_waited_for(mpi: str, programs: Path, tmp_path: Path) -> None:
    bare, instrumented = plain(mpi, "ring", programs), build(mpi, "ring", programs)
    always = "env POMP_TRACE=1 POMP_MPI_CLOCKS=2"
    launch(
        mpi, tmp_path / "run",
        f"1 {bare}",
        f"1 env POMP_PROFILE=0 {instrumented}",
        f"1 {instrumented}",
        f"1 env POMP_TRACE=1 POMP_MPI_CLOCKS=0 {instrumented}",
        f"2 {always} {instrumented}",
    )  # fmt: skip
    there = members(tmp_path / "run")
    assert [member.rank for member in there] == [2, 3, 4, 5]
    compared = [[comparison.rank for comparison in member.comparisons] for member in there]
    # On a busy machine one may come too late for the other: then neither waits.
    assert compared[:3] == [[]] * 3 and compared[3] in ([], [4, 4])
    measured = report(tmp_path / "run")["processes"]
    assert [process["mpi"]["sendC"] for process in measured] == [TIMES] * 4


def elsewhere(host: str, ahead: int) -> str:
    """Return the command that begins a program with another machine's name and clock."""
    unshared = ["unshare", "--time", "--uts", "--fork", "--monotonic", str(ahead)]
    if subprocess.run([*unshared, "true"], capture_output=True).returncode:
        pytest.skip("unshare makes no machine of its own here (it needs Linux 5.6 and root)")
    return f"{' '.join(unshared)} {Path(__file__).parent}/programs/elsewhere.sh {host}"


def local(count: int) -> str:
    """Return the launchers' variables for the number of processes on the machine."""
    return f"env POMP_TRACE=1 POMP_TSC=0 MPI_LOCALNRANKS={count} OMPI_COMM_WORLD_LOCAL_SIZE={count}"


@pytest.mark.parametrize("mpi", MPIS)
def test_clocks_of_several_machines(mpi: str, programs: Path, tmp_path: Path) -> None:
    instrumented, ahead = build(mpi, "ring", programs), {2: 1000, 3: 77}
    others = [f"1 {local(1)} {elsewhere(f'm{m}', by)} {instrumented}" for m, by in ahead.items()]
    launch(mpi, tmp_path / "run", f"2 {local(2)} {instrumented}", *others)
    there = members(tmp_path / "run")
    assert [member.rank for member in there] == [0, 1, 2, 3]
    assert len({member.machine for member in there}) == 3
    assert [len(member.comparisons) for member in there] == [0, 0, 2, 2]
    for member in there[2:]:
        for comparison in member.comparisons:
            # In the time that the answer took, which is all that can be known.
            off = comparison.local - comparison.remote - ahead[member.rank] * SECOND
            assert abs(off) <= comparison.round_trip / 2 + 1
    job = read(str(tmp_path / "run"))
    for process in job.processes[2:]:
        clock = process.clock
        assert abs(clock.offset + ahead[process.rank] * SECOND) <= clock.error + MICROSECOND
    assert job.unmatched.receives == 0
    assert count_backwards(job.calls, job.messages) == 0
