"""A job that several processes analyse under mpiexec: the same to the bit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.create_once import create_once
from tests.mpi.harness import MPIS, build, environment, idle, launched, run

ASKS = "from mpi4py import MPI; print(MPI.Get_library_version())"


@pytest.fixture(scope="session")
def mpi4py() -> str:
    """Return the name of the MPI that mpi4py uses."""
    query = [sys.executable, "-c", ASKS]
    result = subprocess.run(query, capture_output=True, text=True, env=environment())
    if result.returncode:
        pytest.skip("mpi4py is not here, or finds no MPI (pip install mpi4py)")
    return "openmpi" if "Open MPI" in result.stdout else "mpich"


@pytest.fixture(scope="session")
def job(mpi4py: str, programs: Path) -> Path:
    binary, folder = build(mpi4py, "ring", programs), programs / "analyzed"
    return create_once(folder, lambda: run(binary, 3, folder, POMP_TRACE="1"))


def analyze(mpi: str, count: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [*launched(mpi), "-n", str(count), "pomp-clang", "analyze", "--mpi", *arguments]
    # Open MPI gives its processes a terminal, which is narrower than what a pipe gets.
    env = environment(LD_PRELOAD=idle(), COLUMNS="100")
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=env)


@pytest.fixture(scope="session")
def alone(job: Path) -> bytes:
    """Return the result that one process saves."""
    saved = job.parent / "alone.pomp"
    command = ["pomp-clang", "analyze", str(job), "--save", str(saved)]

    def make() -> None:
        subprocess.run(command, check=True, capture_output=True, env=environment())

    return create_once(saved, make).read_bytes()


@pytest.mark.parametrize("count", [2, 4])
def test_the_cube_is_the_same(
    mpi4py: str, job: Path, alone: bytes, tmp_path: Path, count: int
) -> None:
    """By one more than there are processes in the job, too."""
    together = tmp_path / "together.pomp"
    result = analyze(mpi4py, count, str(job), "--save", str(together))
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.count("Where the threads' time goes") == 1
    assert together.read_bytes() == alone


@pytest.mark.parametrize(
    ("count", "how"),
    [(2, ("--format", "json")), (3, ("--format", "json")), (3, ("--color", "never", "--all"))],
)
def test_what_is_told_is_the_same(mpi4py: str, job: Path, count: int, how: tuple[str, ...]) -> None:
    """With what would be gained and the worst instances."""
    command = ["pomp-clang", "analyze", str(job), *how]
    result = subprocess.run(command, check=True, capture_output=True, text=True, env=environment())
    assert '"gain": ' in result.stdout or "Removing it would" in result.stdout
    assert analyze(mpi4py, count, str(job), *how).stdout == result.stdout


def test_what_is_wrong_with_one_ends_all(mpi4py: str, job: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    subprocess.run(["cp", "-r", str(job), str(damaged)], check=True)
    (trace,) = (damaged / "rank-1").glob("trace-0.pomp")
    trace.write_bytes(trace.read_bytes()[:100])
    result = analyze(mpi4py, 2, str(damaged))
    assert result.returncode != 0
    text = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert len(text) == 1 and str(trace) in text[0], result.stderr


def test_an_mpiexec_of_another_mpi_is_told_of_once(mpi4py: str, job: Path) -> None:
    other = next((mpi for mpi in MPIS if mpi != mpi4py), None)
    if other is None or not launched(other):
        pytest.skip("only one MPI is here")
    result = analyze(other, 2, str(job))
    assert result.returncode != 0
    text = [line for line in result.stderr.splitlines() if "mpi4py" in line]
    assert len(text) == 1 and "is of another MPI (" in text[0], result.stderr
    assert "Where the threads' time goes" not in result.stdout


def test_without_mpi4py_it_is_said_once(job: Path, tmp_path: Path) -> None:
    """The first process that mpiexec started prints the message."""
    (tmp_path / "mpi4py.py").write_text("raise ImportError('there is none')\n")
    command = ["pomp-clang", "analyze", "--mpi", str(job)]
    actual = {}
    for rank in ("0", "1"):
        own = environment() | {"PYTHONPATH": str(tmp_path), "PMI_SIZE": "2", "PMI_RANK": rank}
        actual[rank] = subprocess.run(command, capture_output=True, text=True, env=own)
    assert actual["0"].returncode != 0 and actual["1"].stderr == actual["1"].stdout == ""
    (line,) = actual["0"].stderr.splitlines()
    assert "--mpi needs mpi4py (there is none)" in line
