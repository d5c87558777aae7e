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
TIDY = (
    "target", "target data", "target enter data", "target exit data",
    "target teams distribute parallel for", "target update",
)  # fmt: skip


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


def _built(folder: Path, kind: str, source: str, *pomp_options: str) -> Path:
    command = COMMANDS[kind]
    if "-fopenmp-targets=x86_64-pc-linux-gnu" in command and not has_device():
        pytest.skip("clang-19 cannot offload to the host here")
    if not links_openmp(command[0]):
        pytest.skip(f"{command[0]} is not here, or has no OpenMP runtime")
    program = folder / "program"
    command = (*command, str(PROGRAMS / source), "-o", str(program))
    subprocess.run(["pomp-clang", *pomp_options, "--", *command], check=True, capture_output=True)
    return program


def _reported(folder: Path, program: Path, **variables: str) -> dict[str, Any]:
    run = folder / "run"
    environment = {**os.environ, "OMP_NUM_THREADS": "2", "POMP_EXPERIMENT_DIR": str(run)}
    subprocess.run([str(program)], check=True, env={**environment, **variables}, timeout=100)
    return dict(json.loads(_said(run, "json")))


def _said(run: Path, form: str) -> str:
    command = ["pomp-clang", "report", str(run), "--format", form]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _total(report: dict[str, Any], kind: str, column: str) -> float:
    rows = [region["sum"] for region in report["regions"] if region["kind"] == kind]
    assert rows
    return float(sum(row[column] for row in rows))


@pytest.mark.parametrize("kind", COMMANDS)
def test_time_in_target_constructs_is_a_part_of_its_own(tmp_path: Path, kind: str) -> None:
    program = _built(tmp_path, kind, "constructs.c", "--pomp-strict")
    report = _reported(tmp_path, program, **ENVIRONMENTS.get(kind, {}))
    counts = {name: _total(report, name, "execC") for name in TIDY}
    assert list(counts.values()) == [6, 1, 1, 1, 3, 1]
    parts = report["parts"]
    own = sum(_total(report, name, "execT") for name in TIDY)
    own -= _total(report, "target data", "bodyT")
    assert parts["Target"] == pytest.approx(own)
    assert _total(report, "target data", "bodyT") >= 0.2
    assert parts["Serial"] + parts["NotRun"] >= 0.3, "the host's naps"
    threads = report["max_threads"]
    assert sum(parts.values()) == pytest.approx(report["duration"] * threads)


def test_every_form_of_the_report_has_the_part(tmp_path: Path) -> None:
    report = _reported(tmp_path, _built(tmp_path, "clang", "constructs.c"))
    run = tmp_path / "run"
    assert "in target constructs" in _said(run, "text")
    assert f"\nTarget,{report['parts']['Target']}," in _said(run, "csv")
    assert "in target constructs" in _said(run, "html")
    for verb in ("diff", "scale"):
        command = ["pomp-clang", verb, str(run), str(run)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        assert "\nTarget " in output
    for condition, status in (("target > 1%", 0), ("target <= 0%", 3)):
        command = ["pomp-clang", "diff", str(run), str(run), "--fail-on", condition]
        assert subprocess.run(command, capture_output=True).returncode == status


def test_causes_tell_a_wait_for_the_device_from_serial_work(tmp_path: Path) -> None:
    program = _built(tmp_path, "device", "constructs.c")
    _reported(tmp_path, program, POMP_TRACE="1")
    command = ["pomp-clang", "analyze", str(tmp_path / "run"), "--format", "json", "--top", "99"]
    analysis = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    severity = {row["path"][-1]: row["severity"] for row in analysis["properties"]}
    assert severity["Target"] > 0
    assert 0 < severity["Idle During Target"] < severity["Idle Threads"]
    kinds: dict[str, set[str]] = {"Idle Threads": set(), "Idle During Target": set()}
    for cause in analysis["causes"]:
        if cause["name"] in kinds:
            kinds[cause["name"]].update(cause["callpath"][-1:])
    assert kinds["Idle During Target"]
    assert all(kind.startswith("target") for kind in kinds["Idle During Target"])
    assert not any(kind.startswith("target ") for kind in kinds["Idle Threads"] - {"target data"})


@pytest.mark.parametrize("runtime", ["shared", "static"])
def test_barriers_are_told_in_a_program_with_device_images(tmp_path: Path, runtime: str) -> None:
    pomp_options = ("--pomp-strict", "--pomp-barriers=ompt", f"--pomp-runtime={runtime}")
    report = _reported(tmp_path, _built(tmp_path, "device", "constructs.c", *pomp_options))
    assert report["ompt"].startswith("LLVM OMP")
    measured = {e["kind"]: e["barrier_measured"] for e in report["regions"]}
    assert measured["parallel"] and measured["parallel for"]
    assert _total(report, "parallel for", "exitBarT") > 0


def test_a_kernel_on_the_host_has_no_part_in_the_hosts_barriers(tmp_path: Path) -> None:
    """Its worksharing ends neither the target construct nor the single around that."""
    program = _built(tmp_path, "device", "kernel.c", "--pomp-barriers=ompt")
    report = _reported(tmp_path, program)
    inside, around = _total(report, "target", "execT"), _total(report, "single", "singleT")
    assert _total(report, "target", "execC") == _total(report, "single", "singleC") == 1
    assert inside > 0.9 * around
    assert _total(report, "single", "exitBarT") < 0.1 * inside
