"""The recorded iterations of loops as pictures: their cost, and the predicted times of schedules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pomp_clang.analysis.properties import lasting
from pomp_clang.analysis.schedules.predict import CostBin, LoopPrediction, result
from pomp_clang.experiment.model import Region
from pomp_clang.report.html.bars import FULL, Segment
from pomp_clang.report.phrases import number, signed
from pomp_clang.report.schedule_trials import schedules_to_try

HEIGHT = 160
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
        height = round(HEIGHT * cost_bin.mean / longest, 1) if longest > 0 else 0.0
        thread_text = "several threads" if cost_bin.thread is None else f"thread {cost_bin.thread}"
        columns.append(
            IterationColumn(
                _style(cost_bin.thread),
                round(FULL * first / total, 2),
                round(FULL * cost_bin.iterations / total, 2),
                round(HEIGHT - height, 1),
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
