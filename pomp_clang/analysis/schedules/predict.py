"""Predictions for the loops of a run whose iterations were recorded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pomp_clang.analysis.properties import lasting
from pomp_clang.analysis.schedules.loop_costs import (
    ChunkCost,
    Integers,
    LoopExecution,
    executions,
    loop_time,
)
from pomp_clang.analysis.schedules.schedule import SIMILAR, Schedule, candidates, of_clauses
from pomp_clang.experiment.model import Experiment, Region

_WORTH_CHANGING = 0.02
_PICTURE_BINS = 256


@dataclass(frozen=True, slots=True)
class SchedulePrediction:
    """The seconds of all executions of a loop under a schedule."""

    schedule: Schedule
    seconds: float


@dataclass(frozen=True, slots=True)
class ThreadPrediction:
    """The best schedule with a number of threads."""

    threads: int
    best: SchedulePrediction


@dataclass(frozen=True, slots=True)
class CostBin:
    """Iterations of the first recorded execution that follow each other, from the one in which the
    loop variable is `value`. `thread` ran more than half of them, None if no thread did."""

    value: int
    iterations: int
    seconds: float
    thread: int | None = None

    @property
    def mean(self) -> float:
        """The mean seconds of an iteration."""
        return self.seconds / self.iterations if self.iterations else 0.0


@dataclass(frozen=True, slots=True)
class LoopPrediction:
    """The predictions for one loop.

    `current` is the schedule of its clauses, None if unknown. `measured` are the seconds of the
    recorded run, without the cost of the iterations' events: for each execution those of the thread
    with most work. `iterations` is the mean number for each execution. `by_schedule` is in the order of time.
    `bins` is the cost along the iteration space.
    """

    region: Region
    threads: int
    executions: int
    recorded: int
    iterations: float
    current: Schedule | None
    measured: float
    by_schedule: tuple[SchedulePrediction, ...]
    by_threads: tuple[ThreadPrediction, ...]
    bins: tuple[CostBin, ...]

    @property
    def best(self) -> SchedulePrediction:
        return self.by_schedule[0]

    @property
    def gain(self) -> float:
        """Seconds that the best schedule saves; 0 if it is not worth a change."""
        saved = self.measured - self.best.seconds
        return saved if saved > _WORTH_CHANGING * self.measured else 0.0

    def of(self, schedule: Schedule) -> SchedulePrediction | None:
        """Return the prediction for a schedule, or None if it was not tried."""
        return next(
            (prediction for prediction in self.by_schedule if prediction.schedule == schedule), None
        )


def predict_loops(
    experiment: Experiment,
    cost: ChunkCost,
    thread_numbers: Iterable[int] = (),
    extra: Sequence[Schedule] = (),
) -> tuple[LoopPrediction, ...]:
    """Return the predictions of all recorded loops, the one with most to gain first.

    Other `thread_numbers` than the team's are predicted, too; `extra` are schedules that are tried in any
    case.
    """
    recorded = {part.region for part in experiment.iterations}
    predictions = []
    for region in experiment.regions:
        runs = executions(experiment, region.id) if region.id in recorded else []
        if runs:
            predictions.append(_predict(experiment, region, runs, cost, thread_numbers, extra))
    return tuple(sorted(predictions, key=lambda loop: (-loop.gain, -loop.measured)))


def _predict(
    experiment: Experiment,
    region: Region,
    runs: Sequence[LoopExecution],
    cost: ChunkCost,
    thread_numbers: Iterable[int],
    extra: Sequence[Schedule],
) -> LoopPrediction:
    threads = max(run.threads for run in runs)
    runtime = experiment.openmp_runtime
    executed = sum(run.weight for run in runs)
    runs = _within_measured(experiment, region, runs)
    return LoopPrediction(
        region=region,
        threads=threads,
        executions=round(executed),
        recorded=len(runs),
        iterations=sum(run.curve.iterations for run in runs) / len(runs),
        current=of_clauses(region.clauses),
        measured=sum(run.weight * max(run.busy) for run in runs),
        by_schedule=_by_schedule(runs, threads, cost, runtime, extra),
        by_threads=tuple(
            ThreadPrediction(number, _by_schedule(runs, number, cost, runtime)[0])
            for number in sorted({*thread_numbers, threads})
        ),
        bins=_bins(runs[0]),
    )


def _within_measured(
    experiment: Experiment, region: Region, runs: Sequence[LoopExecution]
) -> list[LoopExecution]:
    """Return the executions with weights under which they take no longer than the loop in the whole
    run. A recorded execution may have been interrupted, and stands for others that were not."""
    busiest = sum(run.weight * max(run.busy) for run in runs)
    measured = max(
        (
            sums.bodyT + sums.exitBarT
            for (of, _), sums in experiment.profile.items()
            if of == region.id
        ),
        default=0.0,
    )
    fit = measured / busiest if 0 < measured < busiest else 1.0
    return [replace(run, weight=run.weight * fit) for run in runs]


def _by_schedule(
    runs: Sequence[LoopExecution],
    threads: int,
    cost: ChunkCost,
    runtime: str,
    extra: Sequence[Schedule] = (),
) -> tuple[SchedulePrediction, ...]:
    """Return the predictions by time; of schedules with similar times the simplest one is first."""
    iterations = max(run.curve.iterations for run in runs)
    schedules = dict.fromkeys([*candidates(iterations, threads), *extra])
    predictions = [
        SchedulePrediction(
            schedule,
            sum(
                run.weight * loop_time(run.curve, schedule, threads, cost, runtime) for run in runs
            ),
        )
        for schedule in schedules
    ]
    predictions.sort(key=lambda prediction: prediction.seconds)
    best = best_of(predictions)
    return (best, *(prediction for prediction in predictions if prediction is not best))


def best_of(predictions: Sequence[SchedulePrediction]) -> SchedulePrediction:
    """Return the prediction with the shortest time; of equal ones, the simplest schedule's."""
    limit = min(prediction.seconds for prediction in predictions) * (1 + SIMILAR)
    return min(
        (prediction for prediction in predictions if prediction.seconds <= limit),
        key=lambda prediction: prediction.schedule.rank,
    )


def _bins(run: LoopExecution) -> tuple[CostBin, ...]:
    """Return the bins of an execution, neighbors merged until they are few enough for a picture."""
    group = -(-len(run.values) // _PICTURE_BINS)
    return tuple(
        CostBin(
            int(run.values[at]),
            int(run.counts[at : at + group].sum()),
            float(run.seconds[at : at + group].sum()),
            _thread(run.tids[at : at + group], run.counts[at : at + group]),
        )
        for at in range(0, len(run.values), group)
    )


def _thread(tids: Integers, counts: Integers) -> int | None:
    """Return the thread that ran more than half of some bins' iterations, None if no thread did."""
    iterations = np.bincount(tids, counts)
    busiest = int(iterations.argmax())
    return busiest if 2 * iterations[busiest] > counts.sum() else None


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
