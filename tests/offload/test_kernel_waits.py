"""Waits of a team for kernels: named alike by `report` and `analyze`, and counted once."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.offload.build_and_run import built, reported, total

KERNELS = 10 * 0.02
"""Seconds of the kernels of team.c."""
LATE = {
    "ImbalanceInParallelLoop", "ImbalanceInParallelRegion", "ImbalanceInParallelSections",
    "UnparallelizedInMasterRegion", "UnparallelizedInSingleRegion", "WaitAtBarrier",
    "BarrierOverhead",
}  # fmt: skip
"""Properties of a profile that a wait for kernels is not."""
LATE_IN_TRACE = {"Wait at Barrier", "Barrier Completion", "Join"}

CASES = {
    "SINGLE": ("single", 1),
    "BARRIER": ("barrier", 1),
    "LOOP": ("parallel for", 1),
    "SECTIONS": ("parallel sections", 1),
    "SINGLE_NOWAIT": ("single", 2),
    "BARRIER_NOWAIT": ("barrier", 2),
    "REGION_NOWAIT": ("parallel", 2),
}
"""The construct at which threads wait, and how many wait for each kernel."""


def _run(
    folder: Path, case: str, *pomp_options: str, **variables: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the JSON of `report` and `analyze`."""
    program = built(folder, "device", "team.c", *pomp_options, options=(f"-D{case}",))
    report = reported(folder, program, POMP_TRACE="1", **variables)
    command = ["pomp-clang", "analyze", str(folder / "run"), "--format", "json", "--top", "99"]
    analyzed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return report, json.loads(analyzed)


def _severities(report: dict[str, Any]) -> dict[str, float]:
    return {prop["name"]: prop["severity"] for prop in report["properties"]}


@pytest.mark.parametrize("barriers", ["explicit", "ompt"])
@pytest.mark.parametrize("case", CASES)
def test_a_team_waits_for_kernels_and_not_for_a_late_thread(
    tmp_path: Path, case: str, barriers: str
) -> None:
    kind, waiting = CASES[case]
    report, analysis = _run(tmp_path, case, f"--pomp-barriers={barriers}")
    lost = _severities(report)
    (wait,) = [prop for prop in report["properties"] if prop["name"] == "WaitForKernels"]
    place = wait["places"][0]
    assert place["severity"] >= 0.9 * wait["severity"]
    assert {region["id"]: region["kind"] for region in report["regions"]}[place["region"]] == kind
    assert waiting * KERNELS <= wait["severity"] * 1.1
    assert wait["severity"] <= waiting * KERNELS * 1.5 + 0.05
    assert sum(lost.get(name, 0.0) for name in LATE) < 0.5 * wait["severity"]
    causes = {cause["name"]: cause for cause in reversed(analysis["causes"])}
    named = causes["Wait for Kernels"]
    assert named["callpath"][-1].startswith(kind)
    assert named["severity"] == pytest.approx(wait["severity"], rel=0.2)
    assert named["advice"] == place["advice"]
    assert named["advice"].startswith("Give the threads host work to do before the barrier")
    assert "The host's processors run the kernels here" in named["advice"]
    late = sum(causes[name]["severity"] for name in LATE_IN_TRACE & set(causes))
    assert late < 0.5 * wait["severity"]


@pytest.mark.parametrize("case", ["SINGLE_NOWAIT", "BARRIER_NOWAIT", "REGION_NOWAIT"])
def test_kernels_that_a_thread_of_the_team_runs_are_waited_for(tmp_path: Path, case: str) -> None:
    """Without hidden threads, a thread in the barrier runs the tasks of `nowait`."""
    report, analysis = _run(tmp_path, case, LIBOMP_USE_HIDDEN_HELPER_TASK="0")
    wait = _severities(report)["WaitForKernels"]
    assert wait >= 2 * KERNELS / 1.1
    causes = [cause for cause in analysis["causes"] if cause["name"] == "Wait for Kernels"]
    assert causes[0]["severity"] == pytest.approx(wait, rel=0.2)


def test_the_hosts_own_work_beside_a_kernel_stays_a_finding(tmp_path: Path) -> None:
    report, analysis = _run(tmp_path, "HALF")
    lost = _severities(report)
    whole = total(report, "single", "exitBarT")
    assert lost["WaitForKernels"] + lost["UnparallelizedInSingleRegion"] == pytest.approx(whole)
    assert lost["WaitForKernels"] == pytest.approx(whole / 2, rel=0.1)
    parts = report["parts"]
    assert parts["Limpar"] == pytest.approx(lost["UnparallelizedInSingleRegion"], rel=0.1)
    causes = {
        cause["name"]: cause["severity"]
        for cause in analysis["causes"]
        if cause["callpath"][-1].startswith("single")
    }
    assert causes["Wait for Kernels"] == pytest.approx(lost["WaitForKernels"], rel=0.1)
    assert causes["Wait at Barrier"] == pytest.approx(whole / 2, rel=0.1)


def test_a_late_thread_without_a_kernel_stays_one(tmp_path: Path) -> None:
    report, analysis = _run(tmp_path, "LATE")
    assert "WaitForKernels" not in _severities(report)
    assert "Wait for Kernels" not in {cause["name"] for cause in analysis["causes"]}


@pytest.mark.parametrize("case", ["TASKWAIT", "TASKGROUP"])
def test_a_single_that_waits_for_kernels_is_one_finding(tmp_path: Path, case: str) -> None:
    report, _ = _run(tmp_path, case)
    for verb in ("report", "analyze"):
        command = ["pomp-clang", verb, str(tmp_path / "run")]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        assert "A thread waits here for target constructs with nowait, and its team" in text
    waits = total(report, "single", "exitBarT")
    assert waits >= KERNELS
    assert _severities(report)["WaitForKernels"] == pytest.approx(waits, rel=0.2)


def test_a_task_that_waits_for_kernels_is_one_among_tasks(tmp_path: Path) -> None:
    report, analysis = _run(tmp_path, "IN_TASK")
    kinds = {region["id"]: region["kind"] for region in report["regions"]}
    (waits,) = [prop for prop in report["properties"] if prop["name"] == "WaitForTasks"]
    place = waits["places"][0]
    assert kinds[place["region"]] == "taskwait"
    assert place["text"].startswith("Threads wait here for target constructs with nowait")
    (cause, *_) = [cause for cause in analysis["causes"] if cause["name"] == "Taskwait"]
    for advice in (place["advice"], cause["advice"]):
        assert advice.startswith("Give the host work to do before the wait")
    assert cause["severity"] == pytest.approx(place["severity"], rel=0.1)


def test_report_and_analyze_have_the_same_time_of_maps(tmp_path: Path) -> None:
    """The block of target data is the host's, and its begin and end are not."""
    report, analysis = _run(tmp_path, "MAP")
    target = {row["path"][-1]: row["severity"] for row in analysis["properties"]}["Target"]
    assert target == pytest.approx(report["parts"]["Target"], rel=0.05)
    (cause,) = [cause for cause in analysis["causes"] if cause["name"] == "Wait for Kernels"]
    assert cause["severity"] == pytest.approx(_severities(report)["WaitForKernels"], rel=0.3)
