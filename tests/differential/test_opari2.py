"""Event counts equal those of OPARI2, place by place, on a program that both handle."""

import os
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.compilers import links_openmp

HERE = Path(__file__).parent
SOURCE = HERE / "both.c"
COMPILERS = ("clang-19", "gcc")

Counts = Counter[tuple[int, str]]


def require(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        pytest.skip(f"{program} is not here")
    return path


def run(program: Path, folder: Path, **environment: str) -> str:
    result = subprocess.run(
        [str(program)], cwd=folder, env=os.environ | environment, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    return result.stderr


def counts_of_opari2(compiler: str, folder: Path) -> Counts:
    """Return the counts of an instrumentation by OPARI2, by line and event."""
    copy = folder / "both.c"
    shutil.copy(SOURCE, copy)
    instrumented = folder / "opari2.c"
    subprocess.run([require("opari2"), "--c", str(copy), str(instrumented)], check=True)
    program = folder / "opari2"
    command = [compiler, "-fopenmp", "-w", str(instrumented), str(HERE / "count_pomp2.c")]
    subprocess.run([*command, f"-I{folder}", "-o", str(program)], check=True)
    counts: Counts = Counter()
    for line, event, count in re.findall(r"^(\d+) (\w+) (\d+)$", run(program, folder), re.M):
        counts[int(line), event] += int(count)
    return counts


def counts_of_pomp_clang(compiler: str, folder: Path) -> Counts:
    """Return the counts of our instrumentation with the text-logging library, by line and event."""
    program = folder / "ours"
    command = [require("pomp-clang"), "--pomp-library=log", "--", compiler, "-fopenmp"]
    subprocess.run([*command, str(SOURCE), "-o", str(program)], check=True)
    output = run(program, folder, POMP_LOG="count")
    counts: Counts = Counter()
    for line, event, count in re.findall(r"both\.c:(\d+) (?:POMP_)?(\w+) (\d+)$", output, re.M):
        counts[int(line), event] += int(count)
    return counts


def section_lines() -> dict[int, int]:
    """Map each section directive's line to the line of its sections construct, whose descriptor our
    section events pass.
    """
    lines: dict[int, int] = {}
    owner = 0
    for number, text in enumerate(SOURCE.read_text().splitlines(), 1):
        if re.match(r"#pragma omp (?:parallel )?sections", text):
            owner = number
        elif text.startswith("#pragma omp section"):
            lines[number] = owner
    return lines


def comparable(counts: Counts) -> Counts:
    """Return lock events by event alone: OPARI2 passes no place to its library."""
    sections = section_lines()
    result: Counts = Counter()
    for (line, event), count in counts.items():
        place = 0 if event.endswith("_lock") else sections.get(line, line)
        result[place, event] += count
    return result


@pytest.mark.parametrize("compiler", COMPILERS)
def test_event_counts_equal_those_of_opari2(compiler: str, tmp_path: Path) -> None:
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} is not here, or has no OpenMP runtime")
    expected = comparable(counts_of_opari2(compiler, tmp_path))
    assert len(expected) > 50
    assert comparable(counts_of_pomp_clang(compiler, tmp_path)) == expected
