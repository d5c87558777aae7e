"""Sentences on runs that are compared: what keeps their times from comparing, how sure a change of
repeated runs is, and the conditions that hold."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pomp_clang.analysis.comparison import ComparedRegion, match_programs
from pomp_clang.analysis.comparison.conditions import COUNTS, Growth
from pomp_clang.analysis.comparison.rank_sum import needed_pairs
from pomp_clang.analysis.comparison.repetitions import Repetitions
from pomp_clang.analysis.comparison.verdicts import ConditionVerdict
from pomp_clang.analysis.run import AnalyzedRun
from pomp_clang.report.phrases import number, place, what
from pomp_clang.report.run_conditions import ConditionKind, RunCondition, run_conditions
from pomp_clang.report.terminal import printable

LabeledRun = tuple[str, AnalyzedRun]


def comparison_notes(runs: Sequence[LabeledRun]) -> Iterator[RunCondition]:
    """Yield a note for each run whose times do not compare with those of the first one.

    Runs with one thread are compared like others.

    A run is labeled as the report names it: A and B, or by its directory.
    """
    for other in runs[1:]:
        yield from _different(runs[0], other)
    for label, run in runs:
        for condition in run_conditions(run):
            if condition.condition is not ConditionKind.ONE_THREAD:
                yield replace(condition, text=f"{printable(label)}: {condition.text}")


def _different(first: LabeledRun, other: LabeledRun) -> Iterator[RunCondition]:
    match = match_programs(first[1], other[1])
    first_text, other_text = (
        f"{printable(label)} ({printable(run.experiment.program)})" for label, run in (first, other)
    )
    if match.is_different:
        relation = "are different programs: no region is in both; their times do not compare."
        yield RunCondition(
            ConditionKind.DIFFERENT_PROGRAMS, f"{first_text} and {other_text} {relation}"
        )
    elif not match.is_same_name:
        common = f"{match.common} of {match.regions} regions"
        relation = f"have different names; {common} are in both: check that they do the same work."
        yield RunCondition(
            ConditionKind.DIFFERENT_PROGRAMS, f"{first_text} and {other_text} {relation}"
        )


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


def line(verdict: ConditionVerdict) -> str:
    """Write a condition that holds as `a.c:12-20: critical (queue): execT > 20%: execT +0.35 s
    (+35.2 %)`."""
    where = "the program"
    if verdict.compared:
        region = verdict.compared.latest.region
        where = f"{place(region)}: {what(region)}"
    return f"{where}: {verdict.text}: {growth_text(verdict)}{pairs_text(verdict)}"


def pairs_text(verdict: ConditionVerdict) -> str:
    """Return for how many pairs of repeated runs the condition holds; "" without repetitions."""
    if verdict.pairs is None or verdict.confidence is None:
        return ""
    count, pairs = verdict.pairs
    return f", in {count} of {pairs} pairs of runs ({confidence_text(verdict.confidence)})"


def growth_text(verdict: ConditionVerdict) -> str:
    """List the compared values with their growth; without values, the region's state."""
    values = [f"{name} {_amount(name, value)}" for name, value in verdict.grown]
    return ", ".join(values) if values else str(verdict.compared.state if verdict.compared else "")


def _amount(name: str, value: Growth) -> str:
    growth = f"{value.amount:+d}" if name in COUNTS else f"{value.amount:+.6g} s"
    share = f" ({100 * value.share:+.1f} %)" if math.isfinite(value.share) else ""
    return growth + share
