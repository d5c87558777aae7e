"""The call-path profile as text: a tree, and of many paths those with most time."""

from __future__ import annotations

from pomp_clang.analysis.callpaths import callpath_profile
from pomp_clang.experiment.model import CallPath, Measured
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text_callpaths import MANY, callpath_section
from tests.handmade import experiment, region


def test_of_many_paths_those_with_most_time_are_shown_with_what_led_to_them() -> None:
    regions = [region("R00001", "parallel", 1, 30), region("R00002", "critical", 4, 5)]
    paths = [CallPath("C00001", None, "R00001")]
    paths += [CallPath(f"C{n:05}", "C00001", "R00002") for n in range(2, 202)]
    profile = {("C00001", 0): Measured(execC=1, execT=300.0)}
    profile |= {(p.id, 0): Measured(execC=n, execT=n / 100) for n, p in enumerate(paths[1:], 1)}
    made = experiment(regions, {}, callpaths=tuple(paths), callpath_profile=profile)
    lines = callpath_section(callpath_profile(made), 1000.0, True, Terminal())
    rows = [line.split() for line in lines[1 : MANY + 1]]
    assert rows[0][:2] == ["parallel", "main.c:1-30"]
    assert [int(row[3]) for row in rows[1:]] == list(range(142, 201))
    assert lines[-2] == "141 more call paths took at most 0.1 % each; --format json has them all."
    assert lines[-1].startswith("Some call paths were too deep or too many")
