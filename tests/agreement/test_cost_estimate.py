"""What the report says that measuring cost, and what it cost: the same program without us."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pomp_clang.analysis.perturbation import perturbation
from pomp_clang.experiment.reader import read
from tests.compilers import links_openmp

SOURCE = Path(__file__).parent.parent / "benchmark" / "events.c"
TRIES = 20

WITHIN = {"region": 1.15, "atomic": 1.15, "critical": 1.2, "master": 1.5, "parallel": 1.3}
"""By what factor an estimate may be wrong: what code there is around a construct decides how much
of an event the processor does meanwhile."""


def _times(program: Path, folder: Path) -> dict[str, float]:
    """Nanoseconds of a visit, by kind: medians of many short stretches."""
    environment = os.environ | {"POMP_EXPERIMENT_DIR": str(folder)}
    command = [str(program)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return {kind: float(time) for kind, time in map(str.split, done.stdout.splitlines())}


def _estimates(folder: Path) -> dict[str, float]:
    experiment = read(str(folder))
    cost = perturbation(experiment)
    assert cost is not None
    visits: dict[str, int] = {}
    for (region, _), measured in experiment.profile.items():
        visits[region] = visits.get(region, 0) + measured.execC
    return {each.region.kind: each.own / visits[each.region.id] * 1e9 for each in cost.regions}


WAYS = [(), ("--pomp-inline=off",), ("--pomp-barriers=ompt",)]


@pytest.mark.parametrize("options", WAYS, ids=["inlined", "called", "ompt"])
@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
def test_what_is_said_is_what_it_cost(
    compiler: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    """Each kind in one of a few tries: a busy machine has its own say in it."""
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} is not here, or has no OpenMP runtime")
    if compiler == "gcc" and options == WAYS[2]:
        pytest.skip("libgomp has no OMPT")
    compile_ = [compiler, "-fopenmp", "-O2", "-w", str(SOURCE), "-o"]
    subprocess.run([*compile_, str(tmp_path / "bare")], check=True)
    measuring = ["pomp-clang", *options, "--", *compile_, str(tmp_path / "measured")]
    subprocess.run(measuring, check=True)
    tried = []
    missing = set(WITHIN)
    for n in range(TRIES):
        folder = tmp_path / f"run{n}"
        with_us = _times(tmp_path / "measured", folder)
        bare = _times(tmp_path / "bare", folder)
        said = _estimates(folder)
        ratios = {kind: said[kind] / (with_us[kind] - bare[kind]) for kind in WITHIN}
        tried.append(ratios)
        missing -= {k for k in missing if 1 / WITHIN[k] <= ratios[k] <= WITHIN[k]}
        if not missing:
            return
    pytest.fail(f"{missing}: estimate / real difference: {tried}")
