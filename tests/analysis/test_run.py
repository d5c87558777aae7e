"""One run, analysed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from pomp_clang.analysis.overheads.time_in_parallel import wall
from pomp_clang.analysis.run import analyze_run
from pomp_clang.experiment.model import Experiment
from tests.analysis.test_perturbation import updates
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


def test_the_events_of_atomics_are_not_synchronization() -> None:
    """Events explain 8 us of an update's 15 us, and updates of two threads in the cache take 4."""
    run = analyze_run(replace(updates(15e-6), duration=0.05))
    assert run.parts()["Sync"] == pytest.approx(100 * 4e-6)
    assert run.parts()["Events"] == pytest.approx(100 * 11e-6)
    assert run.analysis.lost.total == pytest.approx(100 * 15e-6)


def test_few_events_have_no_part_of_their_own() -> None:
    assert "Events" not in analyze_run(updates(15e-6)).parts()


@given(experiments())
def test_the_parts_are_the_breakdown(any_run: Experiment) -> None:
    run = analyze_run(any_run)
    assert run.parts()["Idle"] == run.breakdown.idle
    lost = sum(run.parts()[name] for name in ("Sync", "Imbal", "Limpar", "Mgmt", "Events"))
    assert lost == pytest.approx(run.analysis.lost.total)
