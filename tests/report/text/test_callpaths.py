"""The call-path profile as text: a tree, and of many paths those with most time."""

from __future__ import annotations

import pytest

from pomp_clang.analysis.callpaths import callpath_profile
from pomp_clang.experiment.model import CallPath, Experiment, Measured
from pomp_clang.report.options import Options
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.callpaths import MANY, branches, callpath_section
from tests.handmade import experiment, region


def test_of_many_paths_those_with_most_time_are_shown_with_what_led_to_them() -> None:
    regions = [region("R00001", "parallel", 1, 30), region("R00002", "critical", 4, 5)]
    paths = [CallPath("C00001", None, "R00001")]
    paths += [CallPath(f"C{n:05}", "C00001", "R00002") for n in range(2, 202)]
    profile = {("C00001", 0): Measured(execC=1, execT=300.0)}
    profile |= {(p.id, 0): Measured(execC=n, execT=n / 100) for n, p in enumerate(paths[1:], 1)}
    run = experiment(regions, {}, callpaths=tuple(paths), callpath_profile=profile)
    lines = callpath_section(callpath_profile(run), 1000.0, True, Options(), Terminal())
    rows = [line.split() for line in lines[1 : MANY + 1]]
    assert rows[0][:3] == ["R00001", "parallel", "main.c:1-30"]
    assert [int(row[4]) for row in rows[1:]] == list(range(142, 201))
    assert lines[-2] == "141 more call paths took at most 0.1 % each; --all has them all."
    assert lines[-1].startswith("Some call paths were too deep or too many")
    everything = Options(everything=True)
    lines = callpath_section(callpath_profile(run), 1000.0, False, everything, Terminal())
    assert len(lines) == 1 + len(paths)


def _chain(depth: int) -> Experiment:
    """Return an experiment with regions nested `depth` levels deep."""
    regions = [region(f"R{n:05}", "region", n, 99, sub_name=f"level{n}") for n in range(depth)]
    paths = tuple(
        CallPath(f"C{n:05}", f"C{n - 1:05}" if n else None, f"R{n:05}") for n in range(depth)
    )
    profile = {(p.id, 0): Measured(execC=1, execT=100.0 - n) for n, p in enumerate(paths)}
    return experiment(regions, {}, callpaths=paths, callpath_profile=profile)


def test_lines_lead_to_what_stands_below() -> None:
    terminal = Terminal(unicode=True)
    assert branches([0, 1, 2, 2, 1, 2, 0], terminal) == ["", "├ ", "│ ├ ", "│ └ ", "└ ", "  └ ", ""]
    assert branches([0, 1, 1], Terminal()) == ["", "|-", "`-"]


@pytest.mark.parametrize("width", [None, 60, 80, 100, 140])
def test_names_of_the_deepest_are_there_on_any_terminal(width: int | None) -> None:
    experiment = _chain(50)
    terminal = Terminal(unicode=True, width=width)
    lines = callpath_section(callpath_profile(experiment), 1000.0, False, Options(), terminal)
    row = lines[50]
    assert len(row) <= (width or 120)
    assert "(49) region level" in row if (width or 100) >= 100 else "(49" in row


def test_a_row_for_each_thread_on_request() -> None:
    regions = [region("R00001", "parallel", 1, 30)]
    profile = {("C00001", tid): Measured(execC=tid + 1, execT=4.0) for tid in range(3)}
    path = CallPath("C00001", None, "R00001")
    run = experiment(regions, {}, callpaths=(path,), callpath_profile=profile)
    paths = callpath_profile(run)
    lines = callpath_section(paths, 16.0, False, Options(threads="all"), Terminal())
    assert [line.split()[:3] for line in lines[2:]] == [
        ["thread", str(t), str(t + 1)] for t in range(3)
    ]
    assert len(callpath_section(paths, 16.0, False, Options(), Terminal())) == 2
