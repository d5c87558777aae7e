"""Orders of the regions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pomp_clang.analysis.overheads import analyze_overheads
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.cli.report import command
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.options import SORTS, ordered
from tests.handmade import experiments


def test_the_command_line_knows_all_of_them() -> None:
    (option,) = (p for p in command.params if p.name == "sort")
    assert tuple(option.type.choices) == SORTS  # type: ignore[attr-defined]


@given(experiments(), st.sampled_from(SORTS))
def test_every_order_has_every_region_once(run: Experiment, sort: str) -> None:
    profiles = flat_profile(run)
    result = ordered(profiles, analyze_overheads(run, profiles), sort)
    assert sorted(p.region.id for p in result) == sorted(p.region.id for p in profiles)


@given(experiments())
def test_most_comes_first(run: Experiment) -> None:
    profiles = flat_profile(run)
    analysis = analyze_overheads(run, profiles)
    times = [p.execT for p in ordered(profiles, analysis, "execT")]
    assert times == sorted(times, reverse=True)
    counts = [p.execC for p in ordered(profiles, analysis, "count")]
    assert counts == sorted(counts, reverse=True)
    lost = [analysis.exclusive[p.region.id].total for p in ordered(profiles, analysis, "overhead")]
    assert lost == sorted(lost, reverse=True)
