"""The overhead analysis as text: shares beside every class, on any terminal."""

from __future__ import annotations

import pytest

from pomp_clang.analysis.overheads import analyze_overheads
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.experiment.model import Experiment, Measured
from pomp_clang.report.options import Options
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.overheads import overhead_section
from tests.handmade import experiment, figure_1, ocean, region


def _section(experiment: Experiment, width: int | None) -> list[str]:
    analysis = analyze_overheads(experiment, flat_profile(experiment))
    return overhead_section(analysis, Options(), Terminal(width=width))


def _all_lost() -> Experiment:
    """Return an experiment with only a wait and an orphan."""
    regions = [region("R00001", "parallel", 1, 9, file="a/long/name/of/a/file.c")]
    regions.append(region("R00002", "barrier", 20))
    profile = {("R00001", t): Measured(1, 4321.0, 1, 0, exitBarT=4321.0) for t in range(4)}
    profile["R00002", 0] = Measured(1, 1.0)
    return experiment(regions, profile, duration=4321.0)


@pytest.mark.parametrize("run", [figure_1(), ocean(), _all_lost()])
@pytest.mark.parametrize("width", [60, 78, 80, 100, 120, 140, 200])
def test_the_tables_fit_the_terminal(run: Experiment, width: int) -> None:
    assert max(map(len, _section(run, width))) <= width


@pytest.mark.parametrize("width", [None, 80, 120])
def test_every_class_has_its_share_of_region_and_program(width: int | None) -> None:
    lines = _section(ocean(), width)
    region_row, program = (line.split() for line in lines if line.startswith("R00001"))
    assert [region_row[i] for i in (3, 5, 7, 9, 11)] == ["50.8", "7.3", "31.0", "3.1", "9.4"]
    assert [program[i] for i in (3, 5, 7, 9, 11)] == ["40.6", "5.8", "24.8", "2.5", "7.5"]


def test_a_wide_terminal_has_a_regions_place() -> None:
    assert "parallel src/ocean.c:10-60" in "\n".join(_section(ocean(), 140))
    assert "ocean.c" not in "\n".join(_section(ocean(), 80))
