"""Drawings of a profile's page: the run over time, a column for each step as wide as it lasted; and the recorded
iterations of loops, with their cost and the predicted times of schedules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pomp_clang.analysis.counters import CounterMetric, metrics_of
from pomp_clang.analysis.properties import lasting
from pomp_clang.analysis.schedules.predict import CostBin, LoopPrediction, result
from pomp_clang.analysis.timeline import TimelineStep, timeline
from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.report.html.bars import FULL, NAMES, Segment, stacked
from pomp_clang.report.phrases import number, percent, signed
from pomp_clang.report.schedule_trials import schedules_to_try

MOST = 200
"""Columns; of more profiles some are taken together."""

STEPS_HEIGHT = 160

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
        drawn = (
            round(STEPS_HEIGHT * min(1.0, height / highest), 1) if height and highest > 0 else 0.0
        )
        text = f"{height:.4g}{unit}" if height is not None else "-"
        columns.append(
            StepColumn(
                round(step.begin * scale, 2),
                round((step.end - step.begin) * scale, 2),
                f"{lasting(step.begin)} to {lasting(step.end)}: {text}",
                (StepPart("count", round(STEPS_HEIGHT - drawn, 1), drawn),) if drawn > 0 else (),
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
            part.style,
            round(STEPS_HEIGHT * (1 - part.at - part.size), 1),
            round(STEPS_HEIGHT * part.size, 1),
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


ITERATIONS_HEIGHT = 160
_COLORS = 8
_CANDIDATES = 6
_SEVERAL = "several"


@dataclass(frozen=True, slots=True)
class IterationColumn:
    """Iterations as a column: `x` and `width` are of `FULL`, `y` and `height` of `HEIGHT`."""

    style: str
    x: float
    width: float
    y: float
    height: float
    tooltip: str


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """A schedule, "as recorded" first, with its time as a bar; `is_current` marks the source's."""

    name: str
    time: str
    change: str
    bar: tuple[Segment, ...]
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class LoopView:
    """A loop: the cost of each iteration of the first recorded execution, and the times of the
    schedules. A column's height is the mean time of an iteration, `longest` at full height."""

    region: Region
    sentence: str
    facts: str
    columns: tuple[IterationColumn, ...]
    longest: str
    values: tuple[str, str]
    threads: tuple[tuple[str, str], ...]
    candidates: tuple[CandidateRow, ...]


def loop_views(loops: Sequence[LoopPrediction], named: dict[str, Region]) -> list[LoopView]:
    """Build the views of the loops; `named` has the regions by id with their files as shown."""
    return [_view(loop, named[loop.region.id]) for loop in loops if loop.bins]


def _view(loop: LoopPrediction, region: Region) -> LoopView:
    longest = max(cost_bin.mean for cost_bin in loop.bins)
    threads = sorted({cost_bin.thread for cost_bin in loop.bins if cost_bin.thread is not None})
    styles = [(_style(thread), f"thread {thread}") for thread in threads[:_COLORS]]
    if len(threads) > _COLORS:
        styles.append(("", f"and {len(threads) - _COLORS} more, in the same colors"))
    if any(cost_bin.thread is None for cost_bin in loop.bins):
        styles.append((_SEVERAL, "several threads"))
    return LoopView(
        region=region,
        sentence=result(loop),
        facts=(
            f"{number(loop.threads, 'thread')}, {number(loop.executions, 'execution')} "
            f"({loop.recorded} recorded) of {loop.iterations:.0f} iterations"
        ),
        columns=tuple(_columns(loop.bins, longest)),
        longest=lasting(longest),
        values=(str(loop.bins[0].value), str(loop.bins[-1].value)),
        threads=tuple(styles),
        candidates=tuple(_candidates(loop)),
    )


def _style(thread: int | None) -> str:
    return _SEVERAL if thread is None else f"thread-{thread % _COLORS}"


def _columns(bins: Sequence[CostBin], longest: float) -> list[IterationColumn]:
    total = max(1, sum(cost_bin.iterations for cost_bin in bins))
    columns, first = [], 0
    for cost_bin in bins:
        height = round(ITERATIONS_HEIGHT * cost_bin.mean / longest, 1) if longest > 0 else 0.0
        thread_text = "several threads" if cost_bin.thread is None else f"thread {cost_bin.thread}"
        columns.append(
            IterationColumn(
                _style(cost_bin.thread),
                round(FULL * first / total, 2),
                round(FULL * cost_bin.iterations / total, 2),
                round(ITERATIONS_HEIGHT - height, 1),
                height,
                f"{number(cost_bin.iterations, 'iteration')} from {cost_bin.value}: "
                f"{lasting(cost_bin.mean)} each, {thread_text}",
            )
        )
        first += cost_bin.iterations
    return columns


def _candidates(loop: LoopPrediction) -> list[CandidateRow]:
    schedules = schedules_to_try(loop, _CANDIDATES)
    predictions = [
        prediction for prediction in loop.by_schedule if prediction.schedule in schedules
    ]
    longest = max(loop.measured, *(prediction.seconds for prediction in predictions))
    rows = [CandidateRow("as recorded", lasting(loop.measured), "", _bar(loop.measured, longest))]
    for prediction in predictions:
        change = (
            f"{signed(100 * (prediction.seconds / loop.measured - 1), 0)} %"
            if loop.measured
            else ""
        )
        rows.append(
            CandidateRow(
                prediction.schedule.words(),
                lasting(prediction.seconds),
                change,
                _bar(prediction.seconds, longest),
                prediction.schedule == loop.current,
            )
        )
    return rows


def _bar(seconds: float, longest: float) -> tuple[Segment, ...]:
    width = round(FULL * seconds / longest, 1) if longest > 0 else 0.0
    return (Segment("work", 0.0, width),)
