"""Builds of the project beside this file, and what their runs measured."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from pomp_clang.analysis.perturbation import perturbation
from pomp_clang.report.json import profile as json_report
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from pomp_clang.report.output import experiment_at
from tests.compilers import first

PROJECT = Path(__file__).parent / "project"
SCRIPTS = Path(sysconfig.get_path("scripts"))
CLANG = ("clang-19", "clang++-19") if first("clang-19") else (first("clang"), first("clang++"))
GCC = (first("gcc"), first("g++"))

# Executions in `flow` with two threads: file, kind, number of executions over all threads.
REGIONS = {
    ("grid.c", "parallel for"): 2,
    ("grid.c", "critical"): 10,
    ("grid.h", "parallel for"): 4,
    ("kernels.cpp", "parallel"): 2,
    ("kernels.cpp", "for"): 2,
    ("parts.c", "parallel"): 2,
    ("parts.c", "master"): 1,
    ("smooth.cpp", "parallel"): 6,
    ("smooth.cpp", "single"): 6,
    ("stats.c", "parallel"): 2,
    ("stats.c", "atomic"): 2,
}
OUTPUT = "90 8 3 5 1 6\n"


def needs(*programs: str) -> None:
    for program in programs:
        if not shutil.which(program):
            pytest.skip(f"{program} is not here")


def environment(**changes: str) -> dict[str, str]:
    """Return this process's environment with the installed commands on the path, without variables
    that would affect a build.
    """
    steering = ("POMP_", "CMAKE_", "CCACHE_")
    named = ("CC", "CXX", "CFLAGS", "CXXFLAGS", "LDFLAGS", "MAKEFLAGS", "MFLAGS", "MAKELEVEL")
    inherited = {
        k: v for k, v in os.environ.items() if not k.startswith(steering) and k not in named
    }
    path = f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"
    return {**inherited, "PATH": path, "OMP_NUM_THREADS": "2", "LC_ALL": "C", **changes}


def execute(
    command: Sequence[object], cwd: Path, status: int = 0, **env: str
) -> subprocess.CompletedProcess[str]:
    result = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=environment(**env),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert result.returncode == status, f"{command}\n{result.stdout}{result.stderr}"
    return result


def copied(work: Path, *lines: str) -> Path:
    """Copy the project, add lines to its CMakeLists.txt, and return its folder."""
    shutil.copytree(PROJECT, work / "project")
    if lines:
        with open(work / "project" / "CMakeLists.txt", "a") as file:
            file.write("\n" + "\n".join(lines) + "\n")
    return work / "project"


def experiments(folder: Path) -> list[Path]:
    """Return all experiments below the folder."""
    return sorted(path for path in folder.rglob("pomp-*-*") if path.is_dir())


def profile(experiment: Path) -> dict[str, object]:
    """Return the document that `pomp-clang report --format json` writes."""
    measured = experiment_at(str(experiment))
    report = profile_report(measured, perturbation(measured))
    read = json.loads(json_report.render(report, Options()))
    assert isinstance(read, dict)
    return read


def counts(experiment: Path) -> Mapping[tuple[str, str], int]:
    """Return the executions by file and kind, as in REGIONS; functions by name."""
    regions = profile(experiment)["regions"]
    assert isinstance(regions, list)
    counted: dict[tuple[str, str], int] = {}
    for region in regions:
        kind = region["kind"] if region["kind"] != "function" else region["sub_name"]
        key = (Path(region["file"]).name, kind)
        counted[key] = counted.get(key, 0) + sum(thread["execC"] for thread in region["threads"])
    return counted


def needed_libraries(binary: Path) -> str:
    return execute(["readelf", "-d", binary], binary.parent).stdout
