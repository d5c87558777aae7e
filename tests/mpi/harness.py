"""Programs of several processes: built through pomp-clang by an MPI's wrapper, and run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any
from zlib import crc32

import pytest

from pomp_clang.analysis.job import job_of
from pomp_clang.experiment.find import processes
from pomp_clang.report.json import job as json_job
from pomp_clang.report.options import Options
from tests.conftest import REPOSITORY
from tests.create_once import create_once

PROGRAMS = Path(__file__).parent / "programs"
COLUMNS = ("inV", "outV", "recvC", "sendC", "collC")
MPIS = ("mpich", "openmpi")

_SCRIPTS = Path(sysconfig.get_path("scripts"))
# Open MPI refuses to run as root without permission; only the loopback interface is available.
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


@cache
def idle() -> str:
    """Return the library to preload: processes that wait in MPI take no processor time."""
    source = PROGRAMS / "idle.c"
    folder = REPOSITORY / "build" / "tests"
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / f"idle-{crc32(source.read_bytes()):08x}.so"
    command = ["gcc", "-shared", "-fPIC", "-O1", str(source), "-o", str(library), "-ldl"]
    return str(create_once(library, lambda: subprocess.run(command, check=True)))


def needs(mpi: str, wrapper: str = "mpicc") -> None:
    for program in (f"{wrapper}.{mpi}", f"mpiexec.{mpi}"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not here")


def environment(**more: str) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("POMP_")}
    path = f"{_SCRIPTS}:{inherited['PATH']}"
    return {**inherited, **_ENVIRONMENT, "PATH": path, "OMP_NUM_THREADS": "2", **more}


def launched(mpi: str) -> list[str]:
    """Return the command that starts the MPI's programs."""
    return _LAUNCHED[mpi]


def build(mpi: str, program: str, work: Path, *options: str) -> Path:
    """Build a program of ours; the first build generates the MPI's functions."""
    needs(mpi)
    binary = work / f"{program}.{mpi}"

    def make() -> None:
        wrapper = [f"mpicc.{mpi}", "-fopenmp", "-O1", "-w", str(PROGRAMS / f"{program}.c")]
        command = ["pomp-clang", "--", *wrapper, *options, "-o", str(binary)]
        result = subprocess.run(command, env=environment(), capture_output=True, text=True)
        assert (result.returncode, result.stderr) == (0, ""), result.stderr

    return create_once(binary, make)


def build_fortran(mpi: str, program: str, work: Path, binding: str = "F08", *options: str) -> Path:
    """Build a program of ours in Fortran, which uses mpi_f08, `use mpi` (MODULE) or mpif.h."""
    needs(mpi, "mpif90")
    binary = work / f"{program}-{binding}.{mpi}"
    modules = work / f"{binary.name}-modules"

    def make() -> None:
        modules.mkdir(exist_ok=True)
        wrapper = [f"mpif90.{mpi}", "-fopenmp", "-w", f"-D{binding}", f"-J{modules}"]
        source = str(PROGRAMS / f"{program}.F90")
        command = ["pomp-clang", "--", *wrapper, *options, source, "-o", str(binary)]
        result = subprocess.run(command, env=environment(), capture_output=True, text=True)
        assert (result.returncode, result.stderr) == (0, ""), result.stderr

    return create_once(binary, make)


def run(
    binary: Path,
    count: int,
    folder: Path,
    *arguments: str,
    status: int | None = 0,
    env: Mapping[str, str] = MappingProxyType({}),
    **more: str,
) -> subprocess.CompletedProcess[str]:
    """Run the program with its experiment in `folder`; with LD_PRELOAD="", waiting is busy."""
    launch = [*launched(binary.suffix[1:]), "-n", str(count), str(binary), *arguments]
    result = subprocess.run(
        launch,
        env=environment(
            **{"POMP_EXPERIMENT_DIR": str(folder), "LD_PRELOAD": idle(), **env, **more}
        ),
        capture_output=True,
        text=True,
        timeout=240,
    )
    if status is not None:
        assert result.returncode == status, result.stdout + result.stderr
    return result


def plain(mpi: str, program: str, work: Path) -> Path:
    """Build the same program without us."""
    needs(mpi)
    binary = work / f"plain-{program}.{mpi}"
    wrapper = [f"mpicc.{mpi}", "-fopenmp", "-O1", "-w", str(PROGRAMS / f"{program}.c")]
    command = [*wrapper, "-o", str(binary)]
    return create_once(binary, lambda: subprocess.run(command, check=True, env=environment()))


def report(folder: Path) -> dict[str, Any]:
    """Return the document that `pomp-clang report --format json` writes."""
    document: dict[str, Any] = json.loads(
        json_job.render(job_of(processes(str(folder))), Options())
    )
    return document


def moved(document: dict[str, Any], rank: int) -> dict[str, tuple[int, ...]]:
    """Return, for one process, the MPI columns of each critical section by its name."""
    (process,) = (process for process in document["processes"] if process["rank"] == rank)
    return {
        region["sub_name"]: tuple(region["sum"].get(name, 0) for name in COLUMNS)
        for region in process["regions"]
        if region["kind"] == "critical"
    }
