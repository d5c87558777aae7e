"""Real programs on one thread, and in teams of one: no thread waits, and no advice requires several
threads.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.compilers import links_openmp

PROGRAM = Path(__file__).parent / "programs" / "constructs.c"
COMPILERS = ("clang-19", "gcc")
FOR_SEVERAL = (
    "schedule(", "more evenly", "several threads", "all threads have some", "a waiting thread",
    "so that the others", "an if clause", "unrelated data", "no more of them than processors",
)  # fmt: skip
WAITS = (
    "Imbalance", "Wait", "Contention", "Unparallelized", "IdleThreads", "LimitedParallelism",
)  # fmt: skip


@pytest.fixture(scope="module", params=[(c, b) for c in COMPILERS for b in ("explicit", "ompt")])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler, barriers = request.param
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} is not here, or has no OpenMP runtime")
    program_file = tmp_path_factory.mktemp("program") / "program"
    pomp_command = ["pomp-clang", "--pomp-strict", f"--pomp-barriers={barriers}", "--"]
    subprocess.run(
        [*pomp_command, compiler, "-fopenmp", "-O1", str(PROGRAM), "-o", str(program_file)],
        check=True,
    )
    return program_file


def _run(program: Path, folder: Path, threads: int, **variables: str) -> Path:
    run = folder / "run"
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "POMP_EXPERIMENT_DIR": str(run)}
    environment |= {"OMP_MAX_ACTIVE_LEVELS": "1", **variables}
    subprocess.run([str(program)], check=True, env=environment, timeout=100)
    return run


def _report(verb: str, run: Path, *options: str) -> str:
    command = ["pomp-clang", verb, str(run), *options]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _parsed(verb: str, run: Path) -> dict[str, Any]:
    return dict(json.loads(_report(verb, run, "--format", "json")))


def test_one_thread_waits_for_nobody(program: Path, tmp_path: Path) -> None:
    run = _run(program, tmp_path, 1)
    report = _parsed("report", run)
    assert report["max_threads"] == 1
    (atomic,) = (region for region in report["regions"] if region["kind"] == "atomic")
    lost = report["overheads"][-1]
    assert lost["syncT"] == pytest.approx(atomic["sum"]["execT"])
    assert lost["imbalT"] == lost["limparT"] == 0.0
    assert lost["mgmtT"] > 0
    for name, place in _findings(report):
        assert not name.startswith(WAITS)
        assert not any(words in place["advice"] for words in FOR_SEVERAL)
    output = _report("report", run, "--all") + _report("report", run, "--format", "html")
    assert not any(words in output for words in FOR_SEVERAL)


def _findings(report: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return each property's name with each place where it holds."""
    return [(row["name"], place) for row in report["properties"] for place in row["places"]]


def test_causes_on_one_thread_fit_one_thread(program: Path, tmp_path: Path) -> None:
    run = _run(program, tmp_path, 1, POMP_TRACE="1")
    analysis = _parsed("analyze", run)
    assert not any(words in json.dumps(analysis) for words in FOR_SEVERAL)
    causes = analysis["causes"]
    assert causes
    for cause in causes:
        assert not cause["name"].startswith(("Wait at", "Contention", "Idle", "Limited", "Ordered"))
    output = _report("analyze", run, "--all") + _report("analyze", run, "--format", "html")
    assert not any(words in output for words in FOR_SEVERAL)


def test_teams_of_one_within_a_larger_team(program: Path, tmp_path: Path) -> None:
    """Each of two threads runs the inner region alone, equally often."""
    report = _parsed("report", _run(program, tmp_path, 2))
    (inner,) = (region for region in report["regions"] if region["function"] == "inner")
    assert [row["execC"] for row in inner["threads"]] == [300, 300]
    actual = [name for name, place in _findings(report) if place.get("region") == inner["id"]]
    assert not any(name.startswith("Imbalance") for name in actual)
    (inner_losses,) = (e for e in report["overheads"] if e.get("region") == inner["id"])
    assert inner_losses["imbalT"] == 0.0
    (outer,) = (
        e for e in report["overheads"] if e.get("region") and _function(report, e) == "shared"
    )
    assert outer["imbalT"] + outer["syncT"] > 0


def _function(report: dict[str, Any], overhead: dict[str, Any]) -> str:
    result = (
        region["function"] for region in report["regions"] if region["id"] == overhead["region"]
    )
    return str(next(result))
