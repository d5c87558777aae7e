"""Programs of several processes: built through pomp-clang by an MPI's wrapper, and run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from pomp_clang.analysis.job import job_of
from pomp_clang.experiment.find import processes
from pomp_clang.report import json_job
from pomp_clang.report.options import Options

PROGRAMS = Path(__file__).parent / "programs"
COLUMNS = ("inV", "outV", "recvC", "sendC", "collC")
MPIS = ("mpich", "openmpi")

_SCRIPTS = Path(sysconfig.get_path("scripts"))
# As root it wants to be told, and of the network only the machine itself is there.
_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_btl_tcp_if_include": "lo",
    "OMPI_MCA_oob_tcp_if_include": "lo",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_plm_rsh_agent": "false",
    "HYDRA_LAUNCHER": "fork",
}
_LAUNCHED = {
    "mpich": ["mpiexec.mpich"],
    "openmpi": ["mpiexec.openmpi", "--oversubscribe", "--bind-to", "none"],
}


def needs(mpi: str) -> None:
    for program in (f"mpicc.{mpi}", f"mpiexec.{mpi}"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not here")


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("POMP_")}
    path = f"{_SCRIPTS}:{kept['PATH']}"
    return {**kept, **_ENVIRONMENT, "PATH": path, "OMP_NUM_THREADS": "2", **more}


def launched(mpi: str) -> list[str]:
    """How its programs are begun."""
    return _LAUNCHED[mpi]


def build(mpi: str, program: str, work: Path, *options: str) -> Path:
    """Builds a program of ours; the MPI's functions are made at the first one."""
    needs(mpi)
    binary = work / f"{program}.{mpi}"
    if binary.exists():
        return binary
    wrapper = [f"mpicc.{mpi}", "-fopenmp", "-O1", "-w", str(PROGRAMS / f"{program}.c")]
    command = ["pomp-clang", "--", *wrapper, *options, "-o", str(binary)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return binary


def run(
    binary: Path, count: int, folder: Path, *arguments: str, status: int | None = 0, **more: str
) -> subprocess.CompletedProcess[str]:
    """Runs it with its experiment in `folder`."""
    launch = [*launched(binary.suffix[1:]), "-n", str(count), str(binary), *arguments]
    done = subprocess.run(
        launch,
        env=environment(POMP_EXPERIMENT_DIR=str(folder), **more),
        capture_output=True,
        text=True,
        timeout=240,
    )
    if status is not None:
        assert done.returncode == status, done.stdout + done.stderr
    return done


def plain(mpi: str, program: str, work: Path) -> Path:
    """The same without us."""
    needs(mpi)
    binary = work / f"plain-{program}.{mpi}"
    if binary.exists():
        return binary
    command = [
        f"mpicc.{mpi}",
        "-fopenmp",
        "-O1",
        "-w",
        str(PROGRAMS / f"{program}.c"),
        "-o",
        str(binary),
    ]
    subprocess.run(command, check=True, env=environment())
    return binary


def report(folder: Path) -> dict[str, Any]:
    """What `pomp-clang report --format json` writes."""
    found: dict[str, Any] = json.loads(json_job.render(job_of(processes(str(folder))), Options()))
    return found


def moved(document: dict[str, Any], rank: int) -> dict[str, tuple[int, ...]]:
    """Of one process, what each critical section moved, by its name."""
    (process,) = (each for each in document["processes"] if each["rank"] == rank)
    return {
        region["sub_name"]: tuple(region["sum"].get(name, 0) for name in COLUMNS)
        for region in process["regions"]
        if region["kind"] == "critical"
    }
