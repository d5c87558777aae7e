"""Notes on repeated runs: how to read them, and runs that repeat nothing."""

from __future__ import annotations

from dataclasses import replace

from pomp_clang.analysis.comparison.repetitions import compare_repeated
from pomp_clang.analysis.run import analyze_run
from pomp_clang.report.comparison_phrases import confidence_text, repetition_notes
from tests.analysis.comparison.test_repetitions import run_of, sides


def test_the_duration_is_said_to_have_changed_or_not() -> None:
    (changed,) = repetition_notes(sides([1.0, 1.1, 1.2], [2.0, 2.1, 2.2]))
    assert changed.endswith("The duration changed beyond the noise (confidence 95 %).")
    (noise,) = repetition_notes(sides([1.0, 1.1, 1.2], [1.15, 2.1, 2.2]))
    assert noise.endswith("The change of the duration is within the noise.")
    (few,) = repetition_notes(sides([1.0, 1.1], [2.0, 2.1]))
    assert few.endswith("run each side three times.")
    assert repetition_notes(None) == []
    assert confidence_text(0.99999) == "confidence 99.9 %"


def test_a_run_of_another_program_among_repetitions_is_named() -> None:
    runs = tuple(run_of(seconds) for seconds in (1.0, 1.1, 1.2))
    odd = analyze_run(replace(runs[2].experiment, program="other", complete=False, max_threads=2))
    notes = repetition_notes(compare_repeated((runs[0], runs[1], odd), runs))
    assert [note for note in notes if "run-1.2" in note and "have different names" in note]
    assert "A run-1.2 is incomplete: the program ended early." in notes
    assert "The runs of A have different numbers of threads: 2, 4." in notes
    assert not [note for note in notes if note.startswith("B ")]
