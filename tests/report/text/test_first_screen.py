"""The first screen of the text report: short, complete, and true of the run."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given

from pomp_clang.analysis.perturbation import perturbation
from pomp_clang.experiment.model import Experiment, Location, Measured
from pomp_clang.experiment.target_profile import TargetProfile
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from pomp_clang.report.phrases import brief
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.profile import render
from tests.handmade import experiment, experiments, figure_1, ocean, region
from tests.report.snapshots import check


def _screen(
    experiment: Experiment, terminal: Terminal | None = None, top: int | None = None
) -> str:
    report = profile_report(experiment, perturbation(experiment), relative=True)
    return render(report, Options(top=top), terminal or Terminal())


@pytest.mark.parametrize(
    ("name", "any_run", "terminal"),
    [
        ("screen-figure_1.txt", figure_1(), Terminal()),
        ("screen-80.txt", ocean(), Terminal(unicode=True, width=80)),
        ("screen-160.txt", ocean(), Terminal(unicode=True, width=160)),
        ("screen-color.txt", ocean(), Terminal(True, True, 80)),
        ("screen-nothing.txt", experiment([], {}), Terminal(unicode=True, width=80)),
    ],
)
def test_the_first_screen(name: str, any_run: Experiment, terminal: Terminal) -> None:
    check(name, _screen(any_run, terminal))


@given(experiments())
def test_it_fits_a_terminal_of_80_columns_and_40_lines(any_run: Experiment) -> None:
    lines = _screen(any_run, Terminal(unicode=True, width=80)).splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80


def test_shares_of_the_time_add_up_to_the_whole() -> None:
    parts = _screen(ocean()).split("time went")[1].split("\n\n")[0]
    shares = re.findall(r" ([0-9.]+) %", parts)
    assert sum(map(float, shares)) == pytest.approx(100, abs=0.3)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"complete": False}, "Incomplete: the program ended early"),
        ({"processors": 2}, "Oversubscription: 4 threads on 2 processors"),
        ({"locations": (Location(0, 3),)}, "3 events of 1 thread were dropped."),
        ({"regions": (), "profile": {}}, "Nothing was measured: no construct was instrumented"),
        ({"profile": {}}, "Nothing was measured: no instrumented construct ran"),
        ({"max_threads": 1}, "One thread: "),
    ],
)
def test_a_run_that_cannot_be_trusted_says_so_first(
    change: dict[str, object], expected: str
) -> None:
    experiment = replace(ocean(), **change)  # type: ignore[arg-type]
    lines = _screen(experiment, Terminal(width=80)).splitlines()
    assert lines[2].startswith(expected)
    assert not lines[3:] or "" in lines[3:5] or expected.startswith("Nothing")


def test_a_program_whose_kernels_alone_are_parallel_is_no_run_of_one_thread() -> None:
    target = TargetProfile("LLVM OMP", 1, {0: "gpu"}, {}, ())
    for kind, is_told in (("target", False), ("parallel", True)):
        run = experiment([region("R00001", kind, 3)], {("R00001", 0): Measured(1, 0.5)})
        screen = _screen(replace(run, target=target, max_threads=1))
        assert ("One thread: " in screen) == is_told


def test_a_run_that_measured_nothing_is_no_run_of_one_thread() -> None:
    """How many threads its teams would have had is not known."""
    screen = _screen(replace(ocean(), profile={}, max_threads=1))
    assert "Nothing was measured" in screen and "One thread" not in screen


def test_two_warnings_are_whole_at_80_columns() -> None:
    experiment = replace(ocean(), processors=2, complete=False)
    lines = _screen(experiment, Terminal(width=80)).splitlines()
    assert " ".join(" ".join(lines[2:5]).split()) == (
        "Incomplete: the program ended early; the report shows the time until then. Oversubscription: "
        "4 threads on 2 processors; times include waits for a processor."
    )
    assert lines[5] == "" and len(lines) <= 40


def test_the_second_warning_counts_the_others() -> None:
    experiment = replace(ocean(), processors=2, complete=False, locations=(Location(0, 3),))
    lines = _screen(experiment, Terminal(width=80)).splitlines()
    assert lines[3] == "3 events of 1 thread were dropped. (1 more: --all)"


def test_top_shows_more_or_fewer_findings_of_three_lines_at_most() -> None:
    for top, count in ((None, 5), (2, 2), (100, 8)):
        findings = re.split(r"^ *\d+\. ", _screen(ocean(), top=top), flags=re.M)[1:]
        assert len(findings) == count
        assert all(len(finding.split("\n\n")[0].splitlines()) <= 3 for finding in findings)


def test_a_name_of_a_program_reaches_the_terminal_without_control_characters() -> None:
    run = experiment([region("R00001", "critical", 3)], {}, program="p\x1b[2J")
    assert "\x1b" not in _screen(run)


@pytest.mark.parametrize(
    ("text", "room", "expected"),
    [
        ("Do less. Or wait.", 80, "Do less. Or wait."),
        ("Do less. Or wait.", 10, "Do less."),
        ("Do less in it; or wait for it.", 16, "Do less in it."),
        ("Threads wait, although work is even.", 20, "Threads wait."),
        ("It takes 1.5 s at a.c:5 or more.", 28, "It takes 1.5 s at a.c:5 or.."),
        ("No part and no region differs.", 20, "No part and no reg.."),
    ],
)
def test_a_reason_is_cut_where_it_stays_true(text: str, room: int, expected: str) -> None:
    assert brief(text, room) == expected


def test_advice_is_cut_before_a_further_alternative() -> None:
    text = "Merge regions, or move them out of a loop."
    assert brief(text, 30, is_advice=True) == "Merge regions."
