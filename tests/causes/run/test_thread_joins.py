"""Threads that the program makes itself, each with a team of its own: the initial thread waits for
them, which no event tells."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from pomp_clang.causes.cube.cube import Cube
from pomp_clang.causes.properties import openmp, threads
from pomp_clang.causes.what_if.predict_gain import gain_of
from tests.causes.programs.measured import Measured, build, measure
from tests.causes.programs.program import source_of
from tests.causes.test_programs import TRIES, row_of
from tests.compilers import links_openmp

COVERS = ("Idle Beside Other Teams",)

_TOP = """
#include <pthread.h>
static void *team(void *number) {
  naps(%(before)s);
  #pragma omp parallel num_threads(2)
  {
    naps(omp_get_thread_num() ? %(short)s : %(long)s);
    #pragma omp barrier /* here */
    naps(0.03);
  }
  return number;
}
"""
_BODY = """
  %(first)s
  pthread_t made[2];
  for (long i = 0; i < 2; i++) pthread_create(&made[i], NULL, team, (void *)i);
  %(meanwhile)s
  for (int i = 0; i < 2; i++) pthread_join(made[i], NULL);
  %(last)s
"""
_PLAIN = {"before": "0", "first": "", "meanwhile": "", "last": ""}
PROGRAMS = {
    "an initial thread that has no more events": _PLAIN,
    "an initial thread that has a region after them": _PLAIN
    | {"last": "\n#pragma omp parallel num_threads(2)\n naps(0.02);"},
    "threads that work before their first event": _PLAIN | {"before": "number ? 0.1 : 0"},
    "an initial thread that has other work before and after": _PLAIN
    | {"first": "naps(0.05);", "last": "naps(0.05);"},
}
"""Work that each program has in addition."""


def _measured(
    times: dict[str, str], long: object, short: object, compiler: str, folder: Path, turn: int
) -> Measured:
    texts = times | {"long": str(long), "short": str(short)}
    text = source_of(_BODY % texts, _TOP % texts)
    build(compiler, text, folder)
    return measure(text, folder, f"run-{turn}")


def _skip_without(compiler: str) -> None:
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")


def _at(measurement: Measured, mark: str) -> int:
    line = measurement.line(mark)
    return next(row for row, place in enumerate(measurement.run.paths) if place.line == line)


def _total(cube: Cube, *names: str) -> float:
    return float(cube.dense(row_of(cube, names)).sum())


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_gain_in_their_teams_is_the_program_s(name: str, compiler: str, tmp_path: Path) -> None:
    """Mended, both members of each team have as much to do before the barrier."""
    _skip_without(compiler)
    output = ""
    for turn in range(TRIES):
        before = _measured(PROGRAMS[name], 0.4, 0.0, compiler, tmp_path / "before", turn)
        after = _measured(PROGRAMS[name], 0.2, 0.2, compiler, tmp_path / "after", turn)
        gained = before.seconds - after.seconds
        predicted = gain_of(before.run, openmp.ExplicitWait, _at(before, "here"))
        # All that is idle is so while the initial thread makes the others, or works itself.
        alone = sum(0.05 for text in PROGRAMS[name].values() if text == "naps(0.05);")
        idle = _total(before.cube, "Idle Threads") / (len(before.run.threads) - 1)
        if predicted == pytest.approx(gained, rel=0.1) and idle < alone + 0.05:
            return
        output = f"{predicted} s predicted, {gained} s gained, idle {idle} s"
        warnings.warn(f"run {turn + 1} of at most {TRIES}: {output}", stacklevel=1)
    pytest.fail(output)


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
def test_threads_that_are_idle_beside_them_are_no_finding(compiler: str, tmp_path: Path) -> None:
    """The first one's team of two is done 0.4 s before the second one's."""
    _skip_without(compiler)
    sizes: list[float] = []
    for turn in range(TRIES):
        times = "(number ? 0.5 : 0.1)"
        measurement = _measured(_PLAIN, times, times, compiler, tmp_path, turn)
        cells = measurement.cube.dense(row_of(measurement.cube, COVERS)).sum(axis=0)
        sizes = sorted(float(cell) for cell in cells if cell > 0.1)
        if sizes == [pytest.approx(0.4, abs=0.03)] * 2:
            break
    assert sizes == [pytest.approx(0.4, abs=0.03)] * 2
    assert threads.IdleBesideOthers.remedy is None


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
def test_an_initial_thread_that_computes_does_not_wait(compiler: str, tmp_path: Path) -> None:
    """It has a processor for longer than the teams take, and the program ends with it."""
    _skip_without(compiler)
    spins = "for (double since = omp_get_wtime(); omp_get_wtime() - since < 0.6;) done = 0;"
    measurement = _measured(_PLAIN | {"meanwhile": spins}, 0.3, 0.0, compiler, tmp_path, 0)
    assert gain_of(measurement.run, openmp.ExplicitWait, _at(measurement, "here")) == pytest.approx(
        0, abs=0.02
    )
    assert _total(measurement.cube, *COVERS) == 0
