"""The run over time as a drawing: a column for each step, as wide as it lasted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pomp_clang.analysis.counters import CounterMetric, metrics_of
from pomp_clang.analysis.properties import lasting
from pomp_clang.analysis.timeline import TimelineStep, timeline
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.html.bars import FULL, NAMES, stacked
from pomp_clang.report.phrases import percent

MOST = 200
"""Columns; of more profiles some are taken together."""

HEIGHT = 160

_SEEN = 2
"""The width of a column, in units of the drawing."""


@dataclass(frozen=True, slots=True)
class StepPart:
    style: str
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class StepColumn:
    """A step: `x` and `width` are of `FULL`, parts are stacked within `HEIGHT`."""

    x: float
    width: float
    tooltip: str
    parts: tuple[StepPart, ...]


@dataclass(frozen=True, slots=True)
class CounterCurve:
    """A metric over the run: a count as a rate, a result of an expression as it is."""

    name: str
    maximum: str
    columns: tuple[StepColumn, ...]


@dataclass(frozen=True, slots=True)
class History:
    columns: tuple[StepColumn, ...]
    counts: tuple[CounterCurve, ...]
    marks: tuple[tuple[float, str], ...]
    profiles: int
    styles: tuple[str, ...]


def history(experiment: Experiment) -> History | None:
    steps = timeline(experiment, MOST)
    if not steps or experiment.duration <= 0:
        return None
    scale = FULL / experiment.duration
    return History(
        tuple(_column(step, scale) for step in steps),
        _counts(experiment, steps, scale),
        tuple((FULL * i / 4, lasting(experiment.duration * i / 4)) for i in range(5)),
        len(experiment.snapshots),
        tuple(name.lower() for name in steps[0].parts),
    )


def _counts(
    experiment: Experiment, steps: Sequence[TimelineStep], scale: float
) -> tuple[CounterCurve, ...]:
    """Draw each counter over time, once if it is there under two names."""
    counters = experiment.counters
    metrics = metrics_of(counters) if counters else ()
    return tuple(
        _count(metric, i, steps, scale)
        for i, metric in enumerate(metrics)
        if not counters or metric.expression not in counters.metrics
    )


def _count(
    metric: CounterMetric, number: int, steps: Sequence[TimelineStep], scale: float
) -> CounterCurve:
    unit = "" if metric.expression else "/s"
    heights = [_height(metric, step.counted[number], step) for step in steps]
    highest = max(_visible_heights(heights, steps, scale), default=0.0)
    columns = []
    for step, height in zip(steps, heights, strict=True):
        drawn = round(HEIGHT * min(1.0, height / highest), 1) if height and highest > 0 else 0.0
        text = f"{height:.4g}{unit}" if height is not None else "-"
        columns.append(
            StepColumn(
                round(step.begin * scale, 2),
                round((step.end - step.begin) * scale, 2),
                f"{lasting(step.begin)} to {lasting(step.end)}: {text}",
                (StepPart("count", round(HEIGHT - drawn, 1), drawn),) if drawn > 0 else (),
            )
        )
    return CounterCurve(metric.name, f"{highest:.4g}{unit}", tuple(columns))


def _visible_heights(
    heights: Sequence[float | None], steps: Sequence[TimelineStep], scale: float
) -> list[float]:
    """Return the heights of steps wide enough to be seen: the rate of the last microseconds
    would dwarf all others."""
    wide = (scale * (step.end - step.begin) >= _SEEN for step in steps)
    return [h for h, is_wide in zip(heights, wide, strict=True) if h is not None and is_wide]


def _height(metric: CounterMetric, value: float | None, step: TimelineStep) -> float | None:
    lasted = step.end - step.begin
    if value is None or lasted <= 0:
        return None
    return max(0.0, value) if metric.expression else value / lasted


def _column(step: TimelineStep, scale: float) -> StepColumn:
    named = ((name.lower(), value) for name, value in step.parts.items())
    parts = (
        StepPart(
            part.style, round(HEIGHT * (1 - part.at - part.size), 1), round(HEIGHT * part.size, 1)
        )
        for part in stacked(named, step.total)
    )
    part_texts = ", ".join(
        f"{NAMES[name.lower()]} {percent(value / step.total)} %"
        for name, value in step.parts.items()
        if step.total and value / step.total >= 0.005
    )
    width = (step.end - step.begin) * scale
    return StepColumn(
        round(step.begin * scale, 2),
        round(width, 2),
        f"{lasting(step.begin)} to {lasting(step.end)}: {part_texts}",
        tuple(part for part in parts if part.height > 0),
    )
