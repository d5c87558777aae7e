"""The sanitizers find nothing in the runtime, be it built with them or as it is shipped."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import pytest

from tests.create_once import create_once, folder_of_run
from tests.runtime.harness import COMPILERS, Build, ProgramResult, run, total
from tests.sanitizers import OTHERS, THREAD, races, runtime, settings, why_not
from tests.trace.agreement import disagreements

PROGRAMS = {
    "constructs": ((),),
    "nesting": (("nested",), ("sizes",), ("recurse_parallel",), ("cancelled",)),
    "tasks": (("fibonacci", "4"), ("untied_trees",), ("generator", "50"), ("team_in_task",)),
    "tasks_cut": (("cancelled", "20"), ("cancelled", "20", "told")),
    "locks": (("contended",), ("nestable",)),
    "endings": (("foreign",), ("children", "2", "1"), ("inside", "exit")),
    "iterations": ((), ("child",)),
    "scope_masked_opaque": ((),),
    "snapshots": (("calls", "3"), ("never_rests",), ("child",), ("goes_on", "30")),
    "counters": (("nested",), ("threads",), ("foreign",), ("child",)),
    "stress": (("1",), ("2",), ("3",)),
}


FEW = ("constructs", "tasks", "stress")
"""The programs that also run with the runtime as it is shipped."""

SETTINGS = {
    "snapshots": {"POMP_SNAPSHOT_INTERVAL": "0.002"},
    "counters": {"POMP_METRICS": "page-faults,task-clock"},
}


@dataclass(frozen=True)
class Sanitized:
    """A way to build a program; `folder` has what was built in it."""

    build: Build
    sanitizer: str
    folder: Path

    def compile(self, name: str) -> Path:
        """Return the program, built once for all tests."""
        options = [f"-fsanitize={self.sanitizer}", "-g1", "-lpthread", "-ldl"]
        program = self.folder / name
        return create_once(program, lambda: self.build.compile(f"{name}.c", program, *options))

    def run(self, program: Path, *arguments: str, folder: Path, **more: str) -> ProgramResult:
        environment = settings(self.build.compiler) | {"OMP_CANCELLATION": "true"}
        return run(program, *arguments, folder=folder, **environment, **more)


BUILT = [(compiler, sanitizer, "built") for compiler in COMPILERS for sanitizer in (THREAD, OTHERS)]
SHIPPED = [(*way[:2], "shipped") for way in BUILT]


@pytest.fixture(scope="session", params=[*BUILT, *SHIPPED], ids="-".join)
def sanitized(
    request: pytest.FixtureRequest, pomp_runtime: Path, tmp_path_factory: pytest.TempPathFactory
) -> Sanitized:
    compiler, sanitizer, kind = request.param
    build = Build(compiler, pomp_runtime, "static")
    missing = why_not(compiler, sanitizer) if build.is_there else f"{compiler} is not here"
    if missing:
        pytest.skip(missing)
    if kind == "built":
        if not shutil.which("cmake"):
            pytest.skip("cmake is not here to build the runtime")
        build = replace(build, runtime=runtime(compiler, sanitizer))
    folder = folder_of_run(tmp_path_factory, "-".join((compiler, sanitizer, kind)))
    return Sanitized(build, sanitizer, folder)


def _needs_libgomp(build: Build) -> None:
    """Skip libomp 19, which asserts in this program, measured or not (kmp_alloc.cpp)."""
    if build.compiler != "gcc":
        pytest.skip("libomp 19 crashes of itself where teams, tasks and root threads are mixed")


@pytest.mark.parametrize(
    ("sanitized", "name"),
    [*product(BUILT, PROGRAMS), *product(SHIPPED, FEW)],
    indirect=["sanitized"],
    ids=lambda value: value if isinstance(value, str) else "-".join(value),
)
def test_nothing_found(sanitized: Sanitized, name: str, tmp_path: Path) -> None:
    if name == "stress":
        _needs_libgomp(sanitized.build)
    program = sanitized.compile(name)
    for n, arguments in enumerate(PROGRAMS[name]):
        folder = tmp_path / str(n)
        folder.mkdir()
        result = sanitized.run(program, *arguments, folder=folder, **SETTINGS.get(name, {}))
        _found_nothing(sanitized, result)
        assert result.experiment().regions


def _found_nothing(sanitized: Sanitized, result: ProgramResult) -> None:
    if sanitized.sanitizer == THREAD:
        assert races(result.stderr) == []
    else:
        assert result.stderr == ""


@pytest.mark.parametrize("sanitized", BUILT, indirect=True, ids="-".join)
@pytest.mark.parametrize("at_end", ["0", "1"])
@pytest.mark.parametrize("name", ["constructs", "nesting", "tasks", "locks", "endings"])
def test_nothing_found_where_events_are_recorded(
    sanitized: Sanitized, name: str, at_end: str, tmp_path: Path
) -> None:
    program = sanitized.compile(name)
    for n, arguments in enumerate(PROGRAMS[name]):
        folder = tmp_path / str(n)
        folder.mkdir()
        traced = {"POMP_TRACE": "1", "POMP_TRACE_AT_END": at_end}
        _found_nothing(sanitized, sanitized.run(program, *arguments, folder=folder, **traced))
        assert not list(disagreements(folder / "exp"))


RACE = """
#include "pomp_test.h"
int pomp_race;
PLACE(par, "parallel", 10);
int main(void) {
  PARALLEL(par, num_threads(4))
  for (int i = 0; i < 1000; i++)
    pomp_race++;
  END_PARALLEL(par)
  return 0;
}
"""


def test_a_race_would_be_found(sanitized: Sanitized, tmp_path: Path) -> None:
    """Take a race on a symbol with a name like ours as a report about us."""
    if sanitized.sanitizer != THREAD:
        pytest.skip("another sanitizer")
    source = tmp_path / "race.c"
    source.write_text(RACE)
    include = f"-I{Path(__file__).parent / 'programs'}"
    options = ["-fsanitize=thread", "-g", include, "-lpthread", "-ldl"]
    program = sanitized.build.compile(str(source), tmp_path / "race", *options)
    assert races(sanitized.run(program, folder=tmp_path).stderr)


@pytest.mark.parametrize("seed", range(4))
def test_random_teams_and_tasks(build: Build, tmp_path: Path, seed: int) -> None:
    """Report what the program itself counted, with teams in tasks in teams, some of them cancelled."""
    _needs_libgomp(build)
    program = build.compile("stress.c", tmp_path / "stress", "-lpthread", "-ldl")
    result = run(program, str(seed), folder=tmp_path, OMP_CANCELLATION="true")
    assert (result.status, result.stderr) == (0, "")
    measured = result.experiment()
    assert all(location.dropped == 0 for location in measured.locations)
    counted = dict(line.split() for line in result.stdout.splitlines())
    for line, times in counted.items():
        assert total(measured, int(line), "execC") == int(times), line
