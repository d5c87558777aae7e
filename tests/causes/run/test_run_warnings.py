"""Warnings about a run: more threads at a time than processors, and taskloops without events of their
tasks, whose binary was linked by a linker of its own.
"""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from pomp_clang.causes.run.idle import busy_at_once
from pomp_clang.causes.run.run import Run
from pomp_clang.causes.run.run_warnings import (
    bound_too_narrowly,
    oversubscribed,
    unrecorded_taskloops,
)
from tests.causes.programs.measured import traced
from tests.causes.scenarios import SCENARIOS, analysed
from tests.compilers import links_openmp


def on(run: Run, host: str, processors: str) -> Run:
    texts = run.records.texts | {"host": host, "processors": processors}
    return replace(run, records=replace(run.records, texts=texts))


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Return a run with three threads from 1 to 3, and two from 4 to 8."""
    return analysed(SCENARIOS["teams that change"], tmp_path)


def test_more_threads_than_processors(run: Run) -> None:
    (actual,) = oversubscribed({0: on(run, "n1", "2")})
    assert actual.startswith("Oversubscription: 3 threads on 2 processors. ")
    (actual,) = oversubscribed({0: on(run, "n1", "1")})
    assert actual.startswith("Oversubscription: 3 threads on 1 processor. ")


@pytest.mark.parametrize("processors", ["3", "64", "", "many", "0"])
def test_there_is_nothing_to_say(run: Run, processors: str) -> None:
    assert oversubscribed({0: on(run, "n1", processors)}) == []


@pytest.mark.parametrize(("usable", "expected"), [("2", True), ("3", False), ("", False)])
def test_a_process_that_is_bound_to_fewer_processors(run: Run, usable: str, expected: bool) -> None:
    texts = run.records.texts | {"processors": "8", "usable_processors": usable}
    bound = replace(run, records=replace(run.records, texts=texts))
    assert oversubscribed({0: bound}) == []
    actual = bound_too_narrowly({0: bound})
    assert [text.split(":")[1] for text in actual] == [
        " 3 threads on 2 processors (the process is bound"
    ][: int(expected)]
    texts_of_job = bound_too_narrowly({0: on(run, "n1", "8"), 1: bound})
    assert ["of process 1 (the process is bound" in text for text in texts_of_job] == (
        [True] if expected else []
    )


def test_processes_of_one_node_share_it(run: Run) -> None:
    nodes = [on(run, "n1", "4"), on(run, "n2", "4"), on(run, "n1", "4")]
    (actual,) = oversubscribed(dict(enumerate(nodes)))
    assert actual.startswith("Oversubscription: 6 threads on 4 processors of n1. ")


def test_only_those_that_work_at_the_same_time_count(tmp_path: Path) -> None:
    """The third thread is in the inner team with the others. A thread that the program made has its
    own team at the time of the main thread's team."""
    counts = {
        name: busy_at_once(analysed(scenario, tmp_path / name))
        for name, scenario in SCENARIOS.items()
    }
    assert counts["nested teams"] == counts["teams that change"] == 3
    assert {counts[name] for name in counts if "teams" not in name} == {2}


_PROGRAM = """
int x;
int main(void) {
#pragma omp parallel master taskloop num_threads(2)
  for (int i = 0; i < 4; i++) x++;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp taskloop nogroup
    for (int i = 0; i < 4; i++) x++;
  }
  return 0;
}
"""


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
@pytest.mark.parametrize("linked", ["with us", "without us"])
def test_what_was_linked_without_us(
    linked: str, compiler: str, tmp_path: Path, pomp_runtime: Path
) -> None:
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    (tmp_path / "app.c").write_text(_PROGRAM)
    pomp_command, folder = ["pomp-clang", "--"], pomp_runtime / "lib"
    compiled = [compiler, "-fopenmp", "-O1", "-c", "app.c"]
    subprocess.run([*pomp_command, *compiled], cwd=tmp_path, check=True)
    library = [f"{folder}/libpomp.so", f"-Wl,-rpath,{folder}"]
    linker = [*pomp_command, compiler] if linked == "with us" else [compiler]
    command = [*linker, "-fopenmp", "app.o", "-o", "app"]
    command += library if linked == "without us" else []
    subprocess.run(command, cwd=tmp_path, check=True)
    text = unrecorded_taskloops({0: traced(tmp_path)[1]})
    if linked == "with us":
        assert text == []
    else:
        assert len(text) == 1
        assert text[0].startswith(
            f"The tasks of the taskloop at {tmp_path}/app.c:4 and at {tmp_path}/app.c:9 were not "
        )
