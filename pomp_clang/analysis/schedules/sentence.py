"""The result for a loop in one sentence."""

from __future__ import annotations

from pomp_clang.analysis.properties import lasting
from pomp_clang.analysis.schedules.predict import LoopPrediction, SchedulePrediction


def result(loop: LoopPrediction) -> str:
    """Return the best schedule with its time and that of the next best kind, or why none helps."""
    best = loop.best
    if not loop.gain:
        return f"no schedule would save 2 % or more of {lasting(loop.measured)}"
    saved = 100 * (1 - best.seconds / loop.measured)
    sentence = (
        f"{best.schedule.clause} would take {lasting(best.seconds)} "
        f"instead of {lasting(loop.measured)} (-{saved:.0f} %)"
    )
    other = next_kind(loop)
    if other is None:
        return sentence
    return f"{sentence}; {other.schedule.words()} {lasting(other.seconds)}"


def advice(loop: LoopPrediction) -> str:
    """Return the result as advice for a finding at the loop's end."""
    if loop.gain:
        return f"{result(loop)}."
    return (
        "No other schedule would save 2 % or more of the loop. Check that no thread is slowed down or "
        "arrives late."
    )


def next_kind(loop: LoopPrediction) -> SchedulePrediction | None:
    """Return the best prediction for a kind of schedule other than the best one's."""
    others = (
        prediction
        for prediction in loop.by_schedule
        if prediction.schedule.kind != loop.best.schedule.kind
    )
    return next(others, None)
