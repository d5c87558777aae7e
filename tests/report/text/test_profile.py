"""The text report, whole, as it stands in a pipe and on terminals of some widths."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomp_clang.experiment.model import Experiment, Location
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import SORTS, Options
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.profile import render
from tests.handmade import experiment, experiments, figure_1, ocean, region
from tests.report.snapshots import check

PIPE = Terminal()
ALL = Options(everything=True)
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize(
    ("name", "any_run", "options", "terminal"),
    [
        ("figure_1.txt", figure_1(), ALL, PIPE),
        ("ocean-pipe.txt", ocean(), ALL, PIPE),
        ("ocean-80.txt", ocean(), ALL, Terminal(unicode=True, width=80)),
        ("ocean-140.txt", ocean(), ALL, Terminal(unicode=True, width=140)),
        ("ocean-60-threads.txt", ocean(60), replace(ALL, top=3), Terminal(unicode=True, width=80)),
        (
            "ocean-color.txt",
            ocean(),
            replace(ALL, sort="overhead", top=2),
            Terminal(True, True, 80),
        ),
        ("nothing.txt", experiment([], {}), ALL, PIPE),
    ],
)
def test_the_whole_report(
    name: str, any_run: Experiment, options: Options, terminal: Terminal
) -> None:
    check(name, render(profile_report(any_run, relative=True), options, terminal))


def _ids(text: str) -> list[str]:
    """Return the regions in the order of their tables."""
    flat = text.split("Flat region profile")[1].split("Overhead analysis")[0]
    return re.findall(r"^(R\d+)  ", flat, re.MULTILINE)


@pytest.mark.parametrize(
    ("sort", "first"),
    [
        ("execT", ["R00001", "R00009", "R00002"]),
        ("overhead", ["R00001", "R00002", "R00005"]),
        ("count", ["R00008", "R00005", "R00001"]),
        ("place", ["R00001", "R00002", "R00003"]),
        ("kind", ["R00008", "R00006", "R00005"]),
        ("id", ["R00001", "R00002", "R00003"]),
    ],
)
def test_sort_and_top(sort: str, first: list[str]) -> None:
    assert (
        _ids(render(profile_report(ocean(), relative=True), replace(ALL, sort=sort), PIPE))[:3]
        == first
    )
    text = render(profile_report(ocean(), relative=True), replace(ALL, sort=sort, top=3), PIPE)
    assert _ids(text) == first
    assert text.count("6 more regions not shown.") == 2


def test_an_incomplete_experiment_says_so_first() -> None:
    experiment = replace(ocean(), complete=False, locations=(Location(0, 3), Location(1, 0)))
    lines = render(profile_report(experiment, relative=True), ALL, PIPE).splitlines()
    assert lines[0].startswith("Incomplete: ")
    assert lines[1] == "3 events of 1 thread were dropped."


def test_many_threads_are_a_spread_unless_all_are_asked_for() -> None:
    experiment = ocean(17)
    text = render(profile_report(experiment, relative=True), ALL, PIPE)
    assert re.search(r"^ *min .*\n *median .*\n *mean .*\n *max .*\n *SUM ", text, re.MULTILINE)
    assert "of 17 threads; each of them with --threads=all" in text
    loop = text.split("R00007  parallel for  src/ocean.c:50-55  in step")[1].split("\n\n")[0]
    assert re.findall(r"^ *(\w+) ", loop, re.MULTILINE) == ["TID", "0", "1", "SUM", "2"]
    assert loop.endswith("\n      2 of 17 threads came here")
    output = render(profile_report(experiment, relative=True), replace(ALL, threads="all"), PIPE)
    assert "mean" not in output
    assert output.count("\n  16 ") == 9


def test_sixteen_threads_are_not_many() -> None:
    assert "mean" not in render(profile_report(ocean(16), relative=True), ALL, PIPE)


@pytest.mark.parametrize(("threads", "rows"), [(8, 8), (9, 1)])
def test_of_more_than_eight_threads_those_that_came_to_a_region_have_a_row(
    threads: int, rows: int
) -> None:
    text = render(profile_report(ocean(threads), relative=True), ALL, PIPE)
    table = text.split("R00009  function main")[2].split("\n\n")[0]
    assert len(re.findall(r"^ +\d+  ", table, re.MULTILINE)) == rows
    assert ("1 of 9 threads came here" in table) == (threads == 9)


@pytest.mark.parametrize(("processors", "expected"), [(None, False), (4, False), (2, True)])
def test_threads_that_take_turns_are_told_of(processors: int | None, expected: bool) -> None:
    experiment = replace(ocean(), processors=processors)
    assert (
        "4 threads on 2 processors" in render(profile_report(experiment, relative=True), ALL, PIPE)
    ) == expected


def test_the_parts_of_the_time_add_up_to_all_of_it() -> None:
    section = (
        render(profile_report(ocean(), relative=True), ALL, PIPE)
        .split("time went")[1]
        .split("Region overview")[0]
    )
    rows = re.findall(r"^[A-Z][a-z ]+? +([0-9.]+) +([0-9.]+)", section, re.MULTILINE)
    assert sum(float(seconds) for seconds, _ in rows) == pytest.approx(4 * 2.5)
    assert sum(float(percent) for _, percent in rows) == pytest.approx(100, abs=0.3)


def test_what_is_special_about_a_region_is_in_its_header() -> None:
    experiment = ocean()
    regions = [replace(r, barrier_measured=False) for r in experiment.regions]
    text = render(
        profile_report(replace(experiment, regions=tuple(regions)), relative=True), ALL, PIPE
    )
    assert "R00004  single  src/ocean.c:32-34  in step, nowait\n" in text
    assert "R00002  for  src/ocean.c:12-20  in step, barrier not measured\n" in text


def test_no_control_character_of_a_name_reaches_the_terminal() -> None:
    names: dict[str, Any] = {"file": "a\x1b]0;b\x07.c", "sub_name": "x\ny", "function": "f\x9bg"}
    run = experiment([region("R00001", "critical", 3, **names)], {}, program="p\x1b[2J")
    text = render(profile_report(run, relative=True), ALL, PIPE)
    assert not [c for c in text if not c.isprintable() and c != "\n"]
    assert r"a\x1b]0;b\x07.c:3" in text


def test_long_names_are_shortened_on_a_terminal_only() -> None:
    more: dict[str, Any] = {
        "file": "very/" * 30 + "long.c",
        "function": "f" * 90,
        "sub_name": "n" * 90,
    }
    experiment = ocean()
    regions = tuple(replace(r, **more) for r in experiment.regions)
    experiment = replace(experiment, regions=regions, directory="d" * 200)
    text = render(profile_report(experiment, relative=True), ALL, Terminal(unicode=True, width=80))
    assert max(map(len, text.splitlines())) <= 80
    assert "long.c:12-20" in text
    assert "very/" * 30 + "long.c:12-20" in render(
        profile_report(experiment, relative=True), ALL, PIPE
    )


@given(experiments(), st.sampled_from(SORTS), st.sampled_from(["auto", "all"]))
def test_colour_changes_no_character(any_run: Experiment, sort: str, threads: str) -> None:
    options = replace(ALL, sort=sort, threads=threads)
    colored = render(profile_report(any_run, relative=True), options, Terminal(True, True, 100))
    assert _ANSI.sub("", colored) == render(
        profile_report(any_run, relative=True), options, Terminal(False, True, 100)
    )


@given(experiments())
def test_every_region_is_named(any_run: Experiment) -> None:
    text = render(profile_report(any_run, relative=True), ALL, PIPE)
    assert all(region.id in text for region in any_run.regions)
    assert text.endswith("\n")
    assert not re.search(r" $|\n\n\n", text, re.MULTILINE)


def _never_ran(text: str) -> list[str]:
    """Return the lines of the list of regions that never ran."""
    return text.split("never ran (execC 0):\n")[1].split("\n\n")[0].splitlines()


def test_top_limits_the_regions_that_never_ran() -> None:
    """The report counts them, and counts the omitted ones as well."""
    unused = tuple(region(f"R{n:05}", "critical", n) for n in range(100, 107))
    experiment = ocean()
    experiment = replace(experiment, regions=(*experiment.regions, *unused))
    all_lines = _never_ran(render(profile_report(experiment, relative=True), ALL, PIPE))
    few = _never_ran(render(profile_report(experiment, relative=True), replace(ALL, top=2), PIPE))
    assert few == [*all_lines[:2], f"{len(all_lines) - 2} more that never ran not shown."]
    assert f"{len(all_lines)} regions never ran" in render(
        profile_report(experiment, relative=True), replace(ALL, top=2), PIPE
    )
    assert (
        _never_ran(
            render(
                profile_report(experiment, relative=True), replace(ALL, top=len(all_lines)), PIPE
            )
        )
        == all_lines
    )


def test_duration_of_a_run_that_ended_early_is_called_incomplete() -> None:
    text = render(profile_report(replace(ocean(), complete=False), relative=True), ALL, PIPE)
    durations = [line for line in text.splitlines() if line.startswith("Duration")]
    assert len(durations) == 2
    assert all(re.search(r"\d s \(incomplete\)", line) for line in durations)
    assert "(incomplete)" not in render(profile_report(ocean(), relative=True), ALL, PIPE)
