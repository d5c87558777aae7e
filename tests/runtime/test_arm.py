"""The runtime on a 64-bit Arm: the virtual counter is its clock, and profiles and traces agree with
those of this machine.  A user-mode emulator runs it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import build_runtime
from tests.runtime.harness import PROGRAMS, ProgramResult, counts, trails
from tests.trace.agreement import disagreements

RUNTIME = Path(__file__).parents[2] / "runtime"
COMPILER = "aarch64-linux-gnu-gcc"
EMULATOR = ("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu")
KERNELS_CLOCK = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")


@pytest.fixture(scope="module")
def library() -> Path:
    for needed in (COMPILER, EMULATOR[0], "cmake"):
        if shutil.which(needed) is None:
            pytest.skip(f"{needed} is not here")
    target = ["-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64"]
    build_folder = build_runtime("runtime-aarch64", f"-DCMAKE_C_COMPILER={COMPILER}", *target)
    return build_folder / "lib" / "libpomp.so"


def _run(
    library: Path, folder: Path, name: str, *arguments: str, **environment: str
) -> ProgramResult:
    program = folder / name
    includes = [f"-I{RUNTIME / 'include'}", f"-I{PROGRAMS}"]
    linked = [str(library), f"-Wl,-rpath,{library.parent}"]
    source = str(PROGRAMS / f"{name}.c")
    command = [COMPILER, "-fopenmp", "-O1", *includes, source, "-o", str(program), *linked]
    subprocess.run(command, check=True, capture_output=True)
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("POMP_", "OMP_"))}
    settings = {"POMP_EXPERIMENT_DIR": "exp", "OMP_CANCELLATION": "true"} | environment
    result = subprocess.run(
        [*EMULATOR, str(program), *arguments],
        cwd=folder,
        env=clean | settings,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (result.returncode, result.stderr) == (0, "")
    return ProgramResult(result.returncode, result.stdout, result.stderr, folder)


@pytest.mark.parametrize("counter", ["0", "1"])
def test_a_second_is_a_second(library: Path, tmp_path: Path, counter: str) -> None:
    result = _run(library, tmp_path, "clock", POMP_TSC=counter)
    inside, outside = (int(nanoseconds) * 1e-9 for nanoseconds in result.stdout.split())
    (measured,) = result.experiment().profile.values()
    assert inside * 0.999 <= measured.execT <= outside * 1.001
    vouched = KERNELS_CLOCK.exists() and KERNELS_CLOCK.read_text().strip() in (
        "tsc",
        "arch_sys_counter",
    )
    expected = "virtual counter" if counter == "1" and vouched else "clock_gettime(CLOCK_MONOTONIC)"
    assert result.experiment().clock == expected


def test_counts_and_call_paths(library: Path, tmp_path: Path) -> None:
    measured = _run(library, tmp_path, "nesting", "nested", OMP_NUM_THREADS="4").experiment()
    assert all(location.dropped == 0 for location in measured.locations)
    assert trails(measured)[10,] == sum(counts(measured, 10).values()) > 0


@pytest.mark.parametrize(
    "case", [("constructs",), ("nesting", "cancelled"), ("tasks", "fibonacci", "9")]
)
def test_traces_agree(library: Path, tmp_path: Path, case: tuple[str, ...]) -> None:
    name, *arguments = case
    _run(library, tmp_path, name, *arguments, POMP_TRACE="1", OMP_NUM_THREADS="4")
    assert not list(disagreements(tmp_path / "exp"))
