"""Programs with an inefficiency of known size: it is found, at its place and on its threads, others
are not; and the gain that is predicted is what mending it gains."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.causes.findings import findings
from pomp_clang.causes.predict import gain_of
from pomp_clang.causes.registry import properties
from tests.causes.programs import PROGRAMS, measure
from tests.causes.scripts import cells
from tests.compilers import links_openmp

COMPILERS = ("clang-19", "gcc")
NEAR_ZERO = 0.02
"""Seconds; of the main thread's start and of a team's first fork it is more."""


@pytest.fixture(params=COMPILERS)
def compiler(request: pytest.FixtureRequest) -> str:
    if not links_openmp(request.param):
        pytest.skip(f"{request.param} with its OpenMP runtime is not here")
    return str(request.param)


EXACT = [name for name, program in PROGRAMS.items() if program.is_exact]
MENDED = [name for name, program in PROGRAMS.items() if program.without]


@pytest.mark.parametrize("name", EXACT)
def test_an_inefficiency_of_known_size(name: str, compiler: str, tmp_path: Path) -> None:
    program = PROGRAMS[name]
    found = measure(compiler, program.body, tmp_path)
    here = cells(found.cube, *program.prop)
    for thread, lost in enumerate(found.lost):
        assert here.get((found.line("here"), thread), 0.0) == close_to(max(0.0, lost)), thread
    assert sum(found.lost) > 0.2
    for each in program.also:
        size = each.factor * sum(max(0.0, lost) for lost in found.lost)
        others = cells(found.cube, *each.prop)
        assert others.get((found.line(each.mark), each.thread), 0.0) == close_to(size), each
    for other in findings(found.cube):
        metric, place = found.cube.metrics[other.metric], found.cube.paths[other.path]
        own = metric.name == program.prop[-1] and place.line == found.line("here")
        starts = place.line in (0, found.line("warm")) or metric.name == "Fork"
        if not own and not starts and metric.name not in program.comes_with:
            assert other.severity < 2 * NEAR_ZERO, (metric.name, place)


def close_to(seconds: float) -> object:
    return pytest.approx(seconds, rel=0.05, abs=NEAR_ZERO)


@pytest.mark.parametrize("name", MENDED)
def test_the_predicted_gain_is_what_mending_gains(name: str, compiler: str, tmp_path: Path) -> None:
    program = PROGRAMS[name]
    before = measure(compiler, program.body, tmp_path / "before")
    after = measure(compiler, program.without, tmp_path / "after")
    gained = before.seconds - after.seconds
    kind = next(each for each in properties() if each.path()[-len(program.prop) :] == program.prop)
    places = [
        row for row, place in enumerate(before.cube.paths) if place.line == before.line("here")
    ]
    assert len(places) == 1
    predicted = gain_of(before.run, kind, places[0])
    assert predicted is not None and gained > 0.1
    assert predicted == pytest.approx(gained, rel=0.1)
