"""Sentences on repeated runs: what their times are, and how sure a change is."""

from __future__ import annotations

from pomp_clang.analysis.comparison import ComparedRegion
from pomp_clang.analysis.comparison.rank_sum import needed_pairs
from pomp_clang.analysis.comparison.repetitions import Repetitions
from pomp_clang.report.phrases import number

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
    return [" ".join(sentences)]


def noise_mark(compared: ComparedRegion) -> str:
    return NOISE if compared.is_noise else ""


def confidence_text(confidence: float) -> str:
    return f"confidence {min(99.9, 100 * confidence):.3g} %"
