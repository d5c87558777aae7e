"""Time in target constructs, and the host's barriers beside kernels that the host runs."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.offload.build_and_run import COMMANDS, ENVIRONMENTS, built, printed, reported, total

TIDY = (
    "target", "target data", "target enter data", "target exit data",
    "target teams distribute parallel for", "target update",
)  # fmt: skip


@pytest.mark.parametrize("kind", COMMANDS)
def test_time_in_target_constructs_is_a_part_of_its_own(tmp_path: Path, kind: str) -> None:
    program = built(tmp_path, kind, "constructs.c", "--pomp-strict")
    report = reported(tmp_path, program, **ENVIRONMENTS.get(kind, {}))
    counts = {name: total(report, name, "execC") for name in TIDY}
    assert list(counts.values()) == [6, 1, 1, 1, 3, 1]
    parts = report["parts"]
    own = sum(total(report, name, "execT") for name in TIDY)
    own -= total(report, "target data", "bodyT")
    assert parts["Target"] == pytest.approx(own)
    assert total(report, "target data", "bodyT") >= 0.2
    assert parts["Serial"] + parts["NotRun"] >= 0.3, "the host's naps"
    threads = report["max_threads"]
    assert sum(parts.values()) == pytest.approx(report["duration"] * threads)


def test_waits_for_kernels_that_are_tasks_are_no_work_of_the_host(tmp_path: Path) -> None:
    report = reported(tmp_path, built(tmp_path, "device", "awaited.c"))
    parts = report["parts"]
    assert parts["Sync"] >= total(report, "taskwait", "execT") * 0.99 > 0.05
    assert sum(parts.values()) == pytest.approx(report["duration"] * report["max_threads"])
    places = {prop["name"]: prop["places"][0] for prop in report["properties"]}
    assert "HostWorkBetweenKernels" not in places
    assert places["WaitForTasks"]["text"].startswith("Threads wait here for target constructs with")
    assert places["WaitForTasks"]["advice"].startswith("Give the host work to do before the wait")
    whole = report["duration"] * report["max_threads"]
    assert all(place["severity"] <= whole for place in places.values())


def test_report_and_analyze_advise_the_same_for_kernels_that_are_awaited(tmp_path: Path) -> None:
    program = built(tmp_path, "device", "awaited.c", options=("-DTEAM",))
    report = reported(tmp_path, program, POMP_TRACE="1")
    lost = {prop["name"]: prop["severity"] for prop in report["properties"]}
    waits = total(report, "taskwait", "execT")
    serial = report["duration"] - waits
    assert lost["WaitForTasks"] == pytest.approx(waits, rel=0.02)
    assert lost.get("IdleThreads", 0.0) <= serial and "IdleDuringTarget" not in lost
    command = ["pomp-clang", "analyze", str(tmp_path / "run"), "--format", "json"]
    analyzed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    wait, *others = json.loads(analyzed)["causes"]
    assert wait["advice"].startswith("Give the host work to do before the wait")
    assert wait["severity"] == pytest.approx(waits, rel=0.02)
    assert sum(cause["severity"] for cause in others if cause["title"] == "Idle threads") <= serial


@pytest.mark.parametrize("kind", ["device", "clang", "gcc"])
def test_a_run_without_a_device_says_so(tmp_path: Path, kind: str) -> None:
    report = reported(tmp_path, built(tmp_path, kind, "constructs.c"))
    names = [condition["name"] for condition in report["conditions"]]
    if kind == "gcc" and "no-device" not in names:
        pytest.skip("gcc has a device here")
    has_none = kind in ("clang", "gcc")
    assert ("no-device" in names) is has_none
    is_said = "No device is here: the host ran the target" in printed(tmp_path / "run", "text")
    assert is_said is has_none


def test_every_form_of_the_report_has_the_part(tmp_path: Path) -> None:
    report = reported(tmp_path, built(tmp_path, "clang", "constructs.c"))
    run = tmp_path / "run"
    assert "in target constructs" in printed(run, "text")
    assert f"\nTarget,{report['parts']['Target']}," in printed(run, "csv")
    assert "in target constructs" in printed(run, "html")
    for verb in ("diff", "scale"):
        command = ["pomp-clang", verb, str(run), str(run)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        assert "\nTarget " in output
    for condition, status in (("target > 1%", 0), ("target <= 0%", 3)):
        command = ["pomp-clang", "diff", str(run), str(run), "--fail-on", condition]
        assert subprocess.run(command, capture_output=True).returncode == status


def test_causes_tell_a_wait_for_the_device_from_serial_work(tmp_path: Path) -> None:
    program = built(tmp_path, "device", "constructs.c")
    reported(tmp_path, program, POMP_TRACE="1")
    command = ["pomp-clang", "analyze", str(tmp_path / "run"), "--format", "json", "--top", "99"]
    analysis = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    severity = {row["path"][-1]: row["severity"] for row in analysis["properties"]}
    assert severity["Target"] > 0
    assert 0 < severity["Idle During Target"] < severity["Idle Threads"]
    kinds: dict[str, set[str]] = {"Idle Threads": set(), "Idle During Target": set()}
    for cause in analysis["causes"]:
        if cause["name"] in kinds:
            kinds[cause["name"]].update(cause["callpath"][-1:])
    assert not kinds["Idle During Target"]  # the host's processors run the kernels
    assert not any(kind.startswith("target ") for kind in kinds["Idle Threads"] - {"target data"})


@pytest.mark.parametrize("runtime", ["shared", "static"])
def test_barriers_are_told_in_a_program_with_device_images(tmp_path: Path, runtime: str) -> None:
    pomp_options = ("--pomp-strict", "--pomp-barriers=ompt", f"--pomp-runtime={runtime}")
    report = reported(tmp_path, built(tmp_path, "device", "constructs.c", *pomp_options))
    assert report["ompt"].startswith("LLVM OMP")
    measured = {e["kind"]: e["barrier_measured"] for e in report["regions"]}
    assert measured["parallel"] and measured["parallel for"]
    assert total(report, "parallel for", "exitBarT") > 0


def test_a_kernel_on_the_host_has_no_part_in_the_hosts_barriers(tmp_path: Path) -> None:
    """Its worksharing ends neither the target construct nor the single around that."""
    program = built(tmp_path, "device", "kernel.c", "--pomp-barriers=ompt")
    report = reported(tmp_path, program)
    inside, around = total(report, "target", "execT"), total(report, "single", "singleT")
    assert total(report, "target", "execC") == total(report, "single", "singleC") == 1
    assert inside > 0.9 * around
    assert total(report, "single", "exitBarT") < 0.1 * inside
