"""Runs with more and more threads as text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pomp_clang.analysis.comparison.scaling import scale
from pomp_clang.analysis.run import analyze_run
from pomp_clang.report.options import Options
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.scale import render
from tests.analysis.comparison.test_scaling import run_with, scaled
from tests.handmade import experiment
from tests.report.snapshots import check

ALL = Options(everything=True)


@pytest.mark.parametrize(
    ("name", "terminal"),
    [
        ("scale-pipe.txt", Terminal()),
        ("scale-80.txt", Terminal(unicode=True, width=80)),
        ("scale-color.txt", Terminal(True, True, 100)),
    ],
)
def test_the_whole_text(name: str, terminal: Terminal) -> None:
    check(name, render(scaled((1, 8.0), (2, 4.5), (4, 2.75)), ALL, terminal))


def test_top_and_what_is_left_out() -> None:
    text = render(scaled((1, 8.0), (2, 4.5), (4, 2.75)), replace(ALL, top=1), Terminal())
    assert text.split("Lost in")[0].rstrip("\n- ").endswith("1 more region not shown.")
    assert "R2" not in text.split("Lost in")[0]


def test_what_regions_lose_in_each_run_the_most_first() -> None:
    text = render(scaled((1, 8.0), (2, 4.5), (4, 2.75)), ALL, Terminal())
    rows = [line.split() for line in text.split("Lost in")[1].splitlines() if line[:1] == "R"]
    assert [(row[0], row[-3:]) for row in rows] == [("R2", ["0.0", "2.8", "6.8"])]


def test_a_run_without_the_region_has_a_dash_and_an_incomplete_one_is_said_to_be() -> None:
    lone = replace(experiment([], {}, threads=8), complete=False, directory="crashed")
    text = render(scale([analyze_run(run_with(1, 4.5)), analyze_run(lone)]), ALL, Terminal())
    assert "crashed: Incomplete: the program ended early;" in text
    assert text.split("\n\n-- Lost in")[0].endswith("-")


def test_no_region_at_all() -> None:
    runs = [analyze_run(experiment([], {}, threads=n)) for n in (1, 2)]
    text = render(scale(runs), ALL, Terminal())
    assert "No region that threads could share ran with the fewest of them.\n" in text
    assert text.endswith("No region lost 0.1 % in any run.\n")


def test_one_screen_has_four_regions_in_a_table_and_all_sections() -> None:
    text = render(scaled((1, 8.0), (2, 4.5)), Options(), Terminal(unicode=True, width=80))
    assert len(text.splitlines()) <= 40
    assert "Speed-up\n" in text and "Lost in the regions" in text
    assert text.endswith("A page: --format html.\n")
