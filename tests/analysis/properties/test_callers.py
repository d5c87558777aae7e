"""Findings at a construct that several functions reach."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pomp_clang.analysis.job import ProcessProfile, over_processes
from pomp_clang.analysis.job.job_results import job_findings
from pomp_clang.analysis.overheads import analyze_overheads
from pomp_clang.analysis.perturbation import perturbation
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.analysis.properties import find_properties, label_findings
from pomp_clang.analysis.properties.callers import ELSEWHERE
from pomp_clang.analysis.run import analyze_run
from pomp_clang.experiment.model import Experiment, Measured
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.job_screen import job_screen
from pomp_clang.report.text.profile import render
from tests.handmade import call_paths, experiment, region

FUNCTIONS = {"R2": "main", "R3": "Histogram", "R4": "Predict", "R5": "ParallelFor"}
LOOP = region("R1", "parallel for", 4, file="par.h", function="ParallelFor")
ROWS = tuple(Measured(100, 2.0, 100, 2.0 - wait, exitBarT=wait) for wait in (0.0, 1.0))


def _run(tree: str, parts: tuple[float, ...]) -> Experiment:
    """Return a run whose loop has a part of its time on each of its call paths, in their order."""
    paths = call_paths(tree)
    loops = [path.id for path in paths if path.region == "R1"]
    callpath_profile = {
        (path, tid): Measured(
            row.execC, row.execT * part, row.bodyC, row.bodyT * part, exitBarT=row.exitBarT * part
        )
        for path, part in zip(loops, parts, strict=True)
        for tid, row in enumerate(ROWS)
    }
    functions = [
        region(ident, "function", 10, file="a.cpp", sub_name=name)
        for ident, name in FUNCTIONS.items()
    ]
    profile = {("R1", tid): row for tid, row in enumerate(ROWS)}
    profile |= {(ident, 0): Measured(1, 2.0, 1, 2.0) for ident in FUNCTIONS}
    return experiment(
        (LOOP, *functions),
        profile,
        threads=2,
        duration=2.0,
        callpaths=paths,
        callpath_profile=callpath_profile,
    )


def _callers(run: Experiment) -> dict[str, float]:
    profiles = flat_profile(run)
    findings = label_findings(find_properties(profiles, analyze_overheads(run, profiles)), run)
    return dict(next(it for it in findings if it.profile and it.profile.region.id == "R1").callers)


@pytest.mark.parametrize(
    ("tree", "callers"),
    [
        # What all have in common next to the construct tells nothing apart.
        (
            "R2\n  R3\n    R5\n      R1\n  R4\n    R5\n      R1",
            {"Histogram": 0.75, "Predict": 0.25},
        ),
        ("R3\n  R1\nR4\n  R1", {"Histogram": 0.75, "Predict": 0.25}),
        # A function that calls itself is one caller.
        ("R3\n  R1\n  R3\n    R1", {}),
        ("R2\n  R3\n    R1\n    R5\n      R1", {"Histogram": 0.75, "ParallelFor": 0.25}),
        ("R3\n  R5\n    R1\nR5\n  R1", {"Histogram": 0.75, ELSEWHERE: 0.25}),
        ("R3\n  R1\nR1", {"Histogram": 0.75, ELSEWHERE: 0.25}),
    ],
)
def test_callers_are_the_functions_where_call_paths_part(
    tree: str, callers: dict[str, float]
) -> None:
    assert _callers(_run(tree, (0.75, 0.25))) == pytest.approx(callers)


def test_one_caller_is_not_named() -> None:
    assert _callers(_run("R2\n  R3\n    R1", (1.0,))) == {}


TWO = "R2\n  R3\n    R5\n      R1\n  R4\n    R5\n      R1"


def _render(run: Experiment, options: Options, width: int = 100) -> str:
    report = profile_report(run, perturbation(run), relative=True)
    return render(report, options, Terminal(width=width))


def test_the_screen_names_the_caller_with_most_of_the_cost() -> None:
    uneven = _render(_run(TWO, (0.75, 0.25)), Options())
    assert "parallel for  par.h:4  from Histogram" in uneven
    assert "from" not in _render(_run(TWO, (0.45, 0.35)), Options())
    narrow = _render(_run(TWO, (0.75, 0.25)), Options(), width=70)
    assert "par.h:4" in narrow and max(map(len, narrow.splitlines())) <= 70


def test_a_job_names_the_callers_in_the_process_that_loses_most() -> None:
    processes = [
        ProcessProfile(rank, analyze_run(_run(TWO, parts)))
        for rank, parts in enumerate(((0.75, 0.25), (0.25, 0.75)))
    ]
    finding = next(it for it in job_findings(over_processes(processes, ())) if it.worst.callers)
    assert dict(finding.worst.callers) == pytest.approx({"Histogram": 0.75, "Predict": 0.25})


def test_the_properties_have_the_callers_with_their_parts() -> None:
    text = _render(_run(TWO, (0.75, 0.25)), Options(sections=("properties",)))
    assert "Called from Histogram (75 %), Predict (25 %)." in " ".join(text.split())


def test_callers_of_a_header_are_told_apart_by_measured_functions() -> None:
    hint = "Callers of ParallelFor: build with --pomp-functions=auto."
    run = _run("R1", (1.0,))
    without_functions = replace(
        run,
        regions=(LOOP,),
        profile={key: row for key, row in run.profile.items() if key[0] == "R1"},
    )
    assert hint in _render(without_functions, Options())
    assert hint not in _render(run, Options())
    processes = [ProcessProfile(0, analyze_run(without_functions))]
    assert hint in job_screen(over_processes(processes, ()), Options(), Terminal(width=100))
    in_source = replace(without_functions, regions=(replace(LOOP, file="a.cpp"),))
    assert hint not in _render(in_source, Options())
