"""Parallel regions whose members record their arrival: their price, and times that leave no gap.

A thread that cannot read the processor's counter (POMP_TSC=0) takes the events' long way.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.runtime.conftest import Program
from tests.runtime.harness import Build, count, measure, rows, total

TURNS = (1000, 3000)
MOST = {"empty": 450, "loop": 600}
"""Instructions that a region's events may take, of one thread."""


def _instructions(program: Path, kind: str, folder: Path) -> float:
    """Return the instructions of one turn, by callgrind."""
    counted = []
    for turns in TURNS:
        tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        command = [*tool, str(program), kind, str(turns)]
        printed = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
        match = re.search(r"Collected : (\d+)", printed.stderr)
        assert match is not None
        counted.append(int(match[1]))
    return (counted[1] - counted[0]) / (TURNS[1] - TURNS[0])


@pytest.mark.parametrize("kind", MOST)
def test_a_region_takes_few_instructions(gcc_or_clang: Build, tmp_path: Path, kind: str) -> None:
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not here")
    regions = gcc_or_clang.compile("regions.c", tmp_path / "regions")
    bare = _instructions(regions, "bare", tmp_path)
    assert _instructions(regions, kind, tmp_path) - bare < MOST[kind]


@pytest.mark.parametrize("tsc", ["0", "1"])
def test_a_members_times_fill_its_regions(program: Program, tmp_path: Path, tsc: str) -> None:
    """Teams change their size, and threads their teams: each moment has one booking."""
    turns = 300
    settings = {"POMP_TSC": tsc, "OMP_MAX_ACTIVE_LEVELS": "2", "OMP_DYNAMIC": "false"}
    experiment = measure(program("regions"), "teams", str(turns), folder=tmp_path, **settings)
    assert count(experiment, 30) == turns * 2
    assert count(experiment, 40) == turns * 4
    for line in (30, 40):
        for measured in rows(experiment, line).values():
            parts = (measured.startupT, measured.bodyT, measured.exitBarT, measured.shutdwnT)
            assert sum(parts) == pytest.approx(measured.execT, abs=1e-6)
    assert total(experiment, 30, "exitBarT") > 0


@pytest.mark.parametrize("tsc", ["0", "1"])
def test_a_loop_and_its_region_share_a_frame(program: Program, tmp_path: Path, tsc: str) -> None:
    experiment = measure(program("regions"), "loop", "200", folder=tmp_path, POMP_TSC=tsc)
    (measured,) = rows(experiment, 20).values()
    assert measured.execC == 200
    assert 0 < measured.bodyT < measured.execT
    assert len(experiment.callpaths) == 1
