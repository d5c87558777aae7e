"""One run, analysed."""

from __future__ import annotations

import pytest
from hypothesis import given

from pomp_clang.analysis.overheads.time_in_parallel import wall
from pomp_clang.analysis.run import analyze_run
from pomp_clang.experiment.model import Experiment
from tests.handmade import experiments, ocean


def test_the_ocean() -> None:
    run = analyze_run(ocean())
    assert (run.threads, run.duration) == (4, 2.5)
    assert list(run.parts()) == ["Work", "Serial", "Sync", "Imbal", "Limpar", "Mgmt", "Idle"]
    assert run.parts() == pytest.approx(
        {"Work": 3.891, "Serial": 0.5, "Sync": 0.589, "Imbal": 2.5, "Limpar": 0.25,
         "Mgmt": 0.77, "Idle": 1.5}
    )  # fmt: skip
    critical = next(p for p in run.profiles if p.region.id == "R00005")
    assert run.lost(critical) == pytest.approx(0.56)
    assert wall(critical) == 0.28


@given(experiments())
def test_the_parts_are_the_breakdown(any_run: Experiment) -> None:
    run = analyze_run(any_run)
    assert run.parts()["Idle"] == run.breakdown.idle
    lost = sum(run.parts()[name] for name in ("Sync", "Imbal", "Limpar", "Mgmt"))
    assert lost == pytest.approx(run.analysis.lost.total)
