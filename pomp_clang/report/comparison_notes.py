"""Notes on runs that are compared: different programs, and oversubscription."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pomp_clang.analysis.comparison.same_program import match_programs
from pomp_clang.analysis.run import AnalyzedRun
from pomp_clang.report.run_facts import hints
from pomp_clang.report.terminal import printable

LabeledRun = tuple[str, AnalyzedRun]


def comparison_notes(runs: Sequence[LabeledRun]) -> Iterator[str]:
    """Yield a line for each run whose times do not compare with those of the first one.

    A run is labeled as the report names it: A and B, or by its directory.
    """
    for other in runs[1:]:
        yield from _different(runs[0], other)
    for label, run in runs:
        yield from (f"{printable(label)}: {hint}" for hint in hints(run.experiment))


def _different(first: LabeledRun, other: LabeledRun) -> Iterator[str]:
    match = match_programs(first[1], other[1])
    first_text, two = (
        f"{printable(label)} ({printable(run.experiment.program)})" for label, run in (first, other)
    )
    if match.is_different:
        yield f"{first_text} and {two} are different programs: no region is in both; their times do not compare."
    elif not match.is_same_name:
        common = f"{match.common} of {match.regions} regions"
        yield f"{first_text} and {two} have different names; {common} are in both: check that they do the same work."
