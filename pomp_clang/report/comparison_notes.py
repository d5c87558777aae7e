"""Notes on runs that are compared: different programs, and the conditions of each run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pomp_clang.analysis.comparison import match_programs
from pomp_clang.analysis.run import AnalyzedRun
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
