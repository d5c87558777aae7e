"""Programs that offload: to the host itself by clang, which needs no GPU, and on the host by gcc."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.compilers import links_openmp

PROGRAMS = Path(__file__).parent / "programs"
LIBRARIES = "/usr/lib/llvm-19/lib"
"""The folder of libomptarget, where the loader does not look."""
OFFLOAD = (
    "clang-19", "-fopenmp", "-O1", "-fopenmp-targets=x86_64-pc-linux-gnu", f"-Wl,-rpath,{LIBRARIES}",
)  # fmt: skip
COMMANDS = {
    "device": OFFLOAD,
    "fallback": OFFLOAD,
    "clang": OFFLOAD[:3],
    "gcc": ("gcc", "-fopenmp", "-O1"),
}
ENVIRONMENTS = {"fallback": {"OMP_TARGET_OFFLOAD": "DISABLED"}}


@functools.cache
def has_device() -> bool:
    """Return whether clang-19 can offload to the host."""
    if shutil.which("clang-19") is None:
        return False
    text = b"#include <omp.h>\nint main(void) { return omp_get_num_devices() < 1; }\n"
    folder = os.environ.get("TMPDIR", "/tmp")
    program = Path(folder) / f"pomp-has-device-{os.getpid()}"
    completed = subprocess.run(
        [*OFFLOAD, "-x", "c", "-", "-o", str(program)], input=text, capture_output=True
    )
    result = completed.returncode == 0 and subprocess.run([str(program)]).returncode == 0
    program.unlink(missing_ok=True)
    return result


def built(
    folder: Path, kind: str, source: str, *pomp_options: str, options: tuple[str, ...] = ()
) -> Path:
    command = COMMANDS[kind]
    if "-fopenmp-targets=x86_64-pc-linux-gnu" in command and not has_device():
        pytest.skip("clang-19 cannot offload to the host here")
    if not links_openmp(command[0]):
        pytest.skip(f"{command[0]} is not here, or has no OpenMP runtime")
    program = folder / "program"
    command = (*command, *options, str(PROGRAMS / source), "-o", str(program))
    subprocess.run(["pomp-clang", *pomp_options, "--", *command], check=True, capture_output=True)
    return program


def reported(folder: Path, program: Path, **variables: str) -> dict[str, Any]:
    run = folder / "run"
    environment = {**os.environ, "OMP_NUM_THREADS": "2", "POMP_EXPERIMENT_DIR": str(run)}
    subprocess.run([str(program)], check=True, env={**environment, **variables}, timeout=100)
    return dict(json.loads(printed(run, "json")))


def printed(run: Path, form: str) -> str:
    command = ["pomp-clang", "report", str(run), "--format", form]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def total(report: dict[str, Any], kind: str, column: str) -> float:
    rows = [region["sum"] for region in report["regions"] if region["kind"] == kind]
    assert rows
    return float(sum(row[column] for row in rows))
