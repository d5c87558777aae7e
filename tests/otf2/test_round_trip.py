"""A run that is exported and read again is what it was: constructs that make tasks and wait for them."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from pomp_clang.causes.cube.cube import Cube, compute
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.run.gather import gather
from pomp_clang.export.otf2.process_archive import write
from pomp_clang.trace.model import Trace
from pomp_clang.trace.reader import read
from tests.compilers import links_openmp
from tests.otf2.test_archive import PROGRAMS, disagreements, exported
from tests.random_programs.running import run

Chain = tuple[tuple[str, str, int, bool], ...]

CASES = [
    (compiler, barriers) for compiler in ("clang-19", "gcc") for barriers in ("arrival", "explicit")
]
SOURCES = (PROGRAMS / "taskloops.c", PROGRAMS / "regions.c")

NAMED = {
    "taskloops": {"Taskwait", "Visits", "Overload"},
    "regions": {"Wait at Barrier", "Barrier delay", "Visits", "Overload"},
}


def traced(compiler: str, barriers: str, folder: Path, source: Path = SOURCES[0]) -> Trace:
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    command = [compiler, "-O1", "-fopenmp", str(source), "-o", "app"]
    pomp_command = ["pomp-clang", f"--pomp-barriers={barriers}", "--"]
    subprocess.run([*pomp_command, *command], cwd=folder, check=True)
    settings = {"POMP_TRACE": "1", "POMP_EXPERIMENT_DIR": "exp", "OMP_CANCELLATION": "true"}
    run(["./app"], folder, **settings)
    return read(str(folder / "exp"))


def cells(cube: Cube) -> dict[tuple[tuple[str, ...], Chain, int], float]:
    """Return the nonzero cells by property, call path and thread.

    Measurement overhead is left out, because an archive does not have it. Tasks are below their
    region, as in an archive.
    """
    chains: list[Chain] = []
    for row, place in enumerate(cube.paths):
        above = chains[place.above] if row else ()
        if place.task:
            above = above[
                : 1 + next(n for n, place in enumerate(above) if place[0].startswith("parallel"))
            ]
        own = place.kind, place.name, place.line, place.task
        chains.append((*above, own) if row else ())
    result: dict[tuple[tuple[str, ...], Chain, int], float] = {}
    for metric, path, thread, value in zip(
        cube.metric, cube.path, cube.thread, cube.value, strict=True
    ):
        names = tuple(cube.metric_path(int(metric)))
        if "Overhead" not in names and names != ("Time", "Execution"):
            result[names, chains[path], int(thread)] = float(value)
    return result


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
@pytest.mark.parametrize(("compiler", "barriers"), CASES)
def test_all_severities_are_the_traces(
    compiler: str, barriers: str, source: Path, tmp_path: Path
) -> None:
    trace = traced(compiler, barriers, tmp_path, source)
    write(trace, tmp_path / "traces.otf2", lambda _: None)
    again = read(str(tmp_path / "traces.otf2"))
    trace = replace(trace, records=replace(trace.records, costs=()))
    expected, actual = (cells(compute(gather(trace_), properties())) for trace_ in (trace, again))
    named = {names[-1] for names, _, _ in expected}
    assert named >= NAMED[source.stem]
    assert actual == pytest.approx(expected, abs=2e-9)
    assert again.records.texts["program"] == trace.records.texts["program"] == "app"


@pytest.mark.parametrize(("compiler", "barriers"), CASES)
def test_waits_for_tasks_are_regions_of_their_own(
    compiler: str, barriers: str, tmp_path: Path
) -> None:
    trace = traced(compiler, barriers, tmp_path)
    _, lines = exported(trace, tmp_path)
    assert not disagreements(trace, lines)
    entered = [line.text for line in lines if line.event == "ENTER"]
    assert sum("!$omp wait for tasks @" in place for place in entered) == 6 + 1 * (
        compiler != "gcc"
    )
    assert sum("!$omp taskloop task @" in place for place in entered) == 3 + 3 + 2 + 2 * 2
    assert sum("!$omp parallel master taskloop task @" in place for place in entered) == 3
