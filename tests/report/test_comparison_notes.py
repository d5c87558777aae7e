"""Runs of different programs, and oversubscribed runs, are not compared in silence."""

from __future__ import annotations

from dataclasses import replace

from pomp_clang.analysis.comparison.scaling import scale
from pomp_clang.analysis.run import AnalyzedRun, analyze_run
from pomp_clang.experiment.model import Measured
from pomp_clang.report.comparison_phrases import comparison_notes
from pomp_clang.report.html import scale as scale_html
from pomp_clang.report.options import Options
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.scale import render
from tests.handmade import experiment, region


def run(program: str, file: str, processors: int | None = None) -> AnalyzedRun:
    rows = {("R1", tid): Measured(1, 1.0, 1, 1.0) for tid in range(4)}
    run = experiment([replace(region("R1", "parallel for", 3), file=file)], rows)
    return analyze_run(replace(run, program=program, processors=processors))


def notes_of(a: AnalyzedRun, b: AnalyzedRun) -> list[str]:
    return [note.text for note in comparison_notes((("A", a), ("B", b)))]


def test_different_programs_are_said() -> None:
    assert notes_of(run("lulesh", "lulesh.cc"), run("sort", "sort.c")) == [
        "A (lulesh) and B (sort) are different programs: no region is in both; their times do not "
        "compare."
    ]


def test_a_renamed_program_with_the_same_regions_is_said() -> None:
    (note,) = notes_of(run("before", "a.c"), run("after", "a.c"))
    assert "have different names; 1 of 1 regions are in both" in note


def test_the_same_program_has_no_note() -> None:
    assert notes_of(run("a", "a.c"), run("a", "a.c")) == []


def test_an_oversubscribed_run_is_said_in_text_and_page() -> None:
    runs = [run("a", "a.c"), run("a", "a.c", processors=2)]
    (note,) = notes_of(*runs)
    assert note.startswith("B: ") and "4 threads on 2 processors" in note
    scaling = scale(runs)
    assert "4 threads on 2 processors" in render(scaling, Options(everything=True), Terminal())
    assert "4 threads on 2 processors" in scale_html.render(scaling, None)
