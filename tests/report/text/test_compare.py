"""Two runs compared as text, whole, in a pipe and on terminals."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given

from pomp_clang.analysis.comparison import compare
from pomp_clang.analysis.run import analyze_run
from pomp_clang.experiment.model import Experiment, Measured
from pomp_clang.report.options import Options
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.compare import region_role, render
from tests.analysis.comparison.test_comparison import after, before
from tests.handmade import experiment, experiments, region
from tests.report.snapshots import check

PIPE = Terminal()


def _diff(a: Experiment, b: Experiment, terminal: Terminal, top: int | None = None) -> str:
    runs = analyze_run(a), analyze_run(b)
    return render(*runs, compare(*runs), Options(everything=True, top=top), terminal)


@pytest.mark.parametrize(
    ("name", "terminal"),
    [
        ("diff-pipe.txt", PIPE),
        ("diff-80.txt", Terminal(unicode=True, width=80)),
        ("diff-color.txt", Terminal(True, True, 140)),
    ],
)
def test_the_whole_comparison(name: str, terminal: Terminal) -> None:
    check(name, _diff(before(), after(), terminal))


def test_nothing_ran_in_either() -> None:
    nothing = experiment([], {})
    assert "No region ran in either." in _diff(nothing, nothing, PIPE)


def test_top_counts_the_rest() -> None:
    assert _diff(before(), after(), PIPE, 1).endswith("3 more regions not shown.\n")


def test_runs_with_different_threads_are_no_matter_of_course() -> None:
    text = "A ran with 4 threads, B with 2: a region whose execT"
    assert text in _diff(before(), replace(after(), max_threads=2), PIPE)
    assert "A ran with" not in _diff(before(), after(), PIPE)


def test_what_changed_by_next_to_nothing_of_the_time_is_grey_whatever_its_growth() -> None:
    regions = [region("R1", "atomic", 3), region("R2", "barrier", 5)]
    a, b = (
        analyze_run(
            experiment(regions, {("R1", 0): Measured(1, short), ("R2", 0): Measured(1, long)})
        )
        for short, long in ((0.001, 1.0), (0.002, 1.5))
    )
    roles = {compared.latest.region.id: region_role(compared, 16.0) for compared in compare(a, b)}
    assert roles == {"R1": "dim", "R2": "hot"}


def test_an_incomplete_run_is_said_to_be() -> None:
    text = _diff(before(), replace(after(), complete=False), PIPE)
    assert "B is incomplete: the program ended early." in text
    (duration,) = (line for line in text.splitlines() if line.startswith("Duration"))
    assert duration.endswith("(B incomplete)")


def test_no_control_character_reaches_the_terminal() -> None:
    region_ = region("R1", "critical", 3, sub_name="\x1b[2J", file="a\x07.c")
    run = experiment([region_], before().profile, directory="d\x1b]0;x\x07", program="p\n")
    text = _diff(run, run, PIPE)
    assert not [c for c in text if not c.isprintable() and c != "\n"]


def test_a_narrow_terminal_is_not_exceeded() -> None:
    text = _diff(before(), after(), Terminal(unicode=True, width=76))
    assert max(map(len, text.splitlines())) <= 76


@given(experiments(), experiments())
def test_no_line_is_wider_than_the_terminal_and_no_colour_changes_a_character(
    a: Experiment, b: Experiment
) -> None:
    plain = _diff(a, b, Terminal(False, True, 160))
    assert re.sub(r"\x1b\[[0-9;]*m", "", _diff(a, b, Terminal(True, True, 160))) == plain
    assert max(map(len, plain.splitlines())) <= 160


def test_one_screen_has_four_changes_and_regions() -> None:
    runs = analyze_run(before()), analyze_run(replace(after(), program="other"))
    text = render(*runs, compare(*runs), Options(), Terminal(unicode=True, width=80))
    assert len(text.splitlines()) <= 40
    assert "All of it: --all." in text.splitlines()[-1]
