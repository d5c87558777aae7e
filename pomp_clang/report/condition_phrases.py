"""A condition that holds, in one line for a person."""

from __future__ import annotations

import math

from pomp_clang.analysis.comparison.conditions import COUNTS, Growth
from pomp_clang.analysis.comparison.verdicts import ConditionVerdict
from pomp_clang.report.phrases import place, what
from pomp_clang.report.repetition_phrases import confidence_text


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
