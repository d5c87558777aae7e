"""Remedies tried on the trace: the run time that the program would have with one of them.

merge_regions        parallel regions that follow one another become one
replace_critical     a critical section becomes an atomic or a reduction
task_graph           the recorded tasks of a barrier: who created and awaited what
change_tasks         fewer tasks, and waits that are dropped, by list schedules of the tasks

`findings.predictions` has the table: the remedies of each property, and the best of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from pomp_clang.analysis.properties import lasting
from pomp_clang.shared_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class RemedyPrediction:
    """A change of the program, such as "a reduction in its place", with the run's recorded time
    `before` and the predicted time `seconds`. `condition` is a sentence on what it needs, or ""."""

    change: str
    seconds: float
    before: float
    condition: str = ""

    @property
    def gain(self) -> float:
        return max(0.0, self.before - self.seconds)


def sentence_of(remedies: Sequence[RemedyPrediction]) -> str:
    """Return the best remedy with its time, and the time of the next one; "" without remedies."""
    if not remedies:
        return ""
    best = remedies[0]
    saved = 100 * best.gain / best.before if best.before > 0 else 0.0
    sentence = (
        f"{best.change[:1].upper()}{best.change[1:]} would take {lasting(best.seconds)} instead of "
        f"{lasting(best.before)} (-{saved:.0f} %)"
    )
    if len(remedies) > 1:
        sentence = f"{sentence}; {remedies[1].change} {lasting(remedies[1].seconds)}"
    return " ".join(filter(None, (f"{sentence}.", best.condition)))
