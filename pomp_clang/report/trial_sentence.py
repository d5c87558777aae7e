"""The way to try a finding's advice on recorded data, where the profile has no evidence for it."""

from __future__ import annotations

from collections.abc import Mapping

from pomp_clang.analysis import property_texts as texts
from pomp_clang.analysis.properties import PropertyFinding

_ANALYZE = "Recorded with POMP_TRACE=1, pomp-clang analyze predicts the time {}."
_SCHEDULES = (
    "pomp-clang schedules --filter selects the loop; recorded so, it predicts other schedules."
)

_TRIED: Mapping[str, str] = {
    texts.TEAM_MANAGEMENT.advice: _ANALYZE.format("with merged regions"),
    texts.CRITICAL_CONTENTION.advice: _ANALYZE.format("with a reduction or an atomic"),
    texts.LARGER_TASKS: _ANALYZE.format("without tasks below a size"),
    texts.WAIT_FOR_TASKS.advice: _ANALYZE.format("with depend clauses"),
    texts.IMBALANCE_IN_LOOP.advice: _SCHEDULES,
}
"""By the advice, which a prediction from recorded iterations replaces."""


def trial_sentence(finding: PropertyFinding) -> str:
    """Return how the finding's advice can be tried on recorded data; "" if it cannot, or was."""
    return _TRIED.get(finding.advice, "")
