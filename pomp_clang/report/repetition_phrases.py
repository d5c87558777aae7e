"""Sentences on repeated runs: what their times are, and how sure a change is."""

from __future__ import annotations

from collections.abc import Iterator

from pomp_clang.analysis.comparison import ComparedRegion
from pomp_clang.analysis.comparison.rank_sum import needed_pairs
from pomp_clang.analysis.comparison.repetitions import Repetitions
from pomp_clang.report.comparison_notes import comparison_notes
from pomp_clang.report.phrases import number
from pomp_clang.report.run_conditions import ConditionKind
from pomp_clang.report.terminal import printable

NOISE = "~"
"""The mark of a change within the noise."""


def repetition_notes(repetitions: Repetitions | None) -> list[str]:
    """Return how to read the times of repeated runs; nothing without repetitions."""
    if repetitions is None:
        return []
    first, second = map(len, repetitions.runs)
    sentences = [
        f"A is {number(first, 'run')}, B is {number(second, 'run')}. Regions have the medians, with "
        f"{NOISE} where the change is within the noise; the rest is of the runs with the median "
        "duration."
    ]
    durations = repetitions.durations
    if needed_pairs(first, second, reachable=False) > first * second:
        sentences.append("So few runs do not tell a change from noise: run each side three times.")
    elif durations.is_beyond_noise:
        confidence = confidence_text(durations.confidence)
        sentences.append(f"The duration changed beyond the noise ({confidence}).")
    else:
        sentences.append("The change of the duration is within the noise.")
    return [" ".join(sentences), *_runs_that_do_not_repeat(repetitions)]


def _runs_that_do_not_repeat(repetitions: Repetitions) -> Iterator[str]:
    """Yield a note for each side with runs of other programs or threads, and for runs that ended
    early."""
    references = (repetitions.a, repetitions.b)
    for side, reference, runs in zip("AB", references, repetitions.runs, strict=True):
        first = f"{side} {reference.experiment.directory}", reference
        for run in runs:
            label = f"{side} {run.experiment.directory}"
            for note in comparison_notes([first, (label, run)]):
                if note.condition is ConditionKind.DIFFERENT_PROGRAMS:
                    yield note.text
            if not run.experiment.complete and run is not reference:
                yield f"{printable(label)} is incomplete: the program ended early."
        threads = sorted({run.threads for run in runs})
        if len(threads) > 1:
            numbers = ", ".join(map(str, threads))
            yield f"The runs of {side} have different numbers of threads: {numbers}."


def noise_mark(compared: ComparedRegion) -> str:
    return NOISE if compared.is_noise else ""


def confidence_text(confidence: float) -> str:
    return f"confidence {min(99.9, 100 * confidence):.3g} %"
