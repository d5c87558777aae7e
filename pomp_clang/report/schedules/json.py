"""Predicted schedules as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pomp_clang.analysis.schedules.chunk_cost import ChunkCost
from pomp_clang.analysis.schedules.predict import LoopPrediction, SchedulePrediction
from pomp_clang.analysis.schedules.sentence import result
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.phrases import with_ascii_units


def as_json(
    experiment: Experiment, loops: Sequence[LoopPrediction], cost: ChunkCost
) -> dict[str, Any]:
    """Return the object that docs/reference/verbs/schedules.md describes; times are seconds."""
    return {
        "format": "pomp-clang schedules 1",
        "program": experiment.program,
        "openmp_runtime": experiment.openmp_runtime,
        "chunk_cost": {"own": cost.own, "serial": cost.serial, "measured": cost.measured},
        "loops": [_loop(loop) for loop in loops],
    }


def _loop(loop: LoopPrediction) -> dict[str, Any]:
    region = loop.region
    return {
        "region": region.id,
        "kind": region.kind,
        "function": region.function,
        "file": region.file,
        "begin_line1": region.begin_line1,
        "end_lineN": region.end_lineN,
        "threads": loop.threads,
        "executions": loop.executions,
        "recorded": loop.recorded,
        "iterations": loop.iterations,
        "current": loop.current.words() if loop.current is not None else None,
        "seconds": loop.measured,
        "gain": loop.gain,
        "sentence": with_ascii_units(result(loop)),
        "schedules": [schedule_row(prediction) for prediction in loop.by_schedule],
        "by_threads": [{"threads": by.threads, **schedule_row(by.best)} for by in loop.by_threads],
        "costs": [
            {
                "value": cost_bin.value,
                "iterations": cost_bin.iterations,
                "seconds": cost_bin.seconds,
                "thread": cost_bin.thread,
            }
            for cost_bin in loop.bins
        ],
    }


def schedule_row(prediction: SchedulePrediction) -> dict[str, Any]:
    """Return a schedule, as OMP_SCHEDULE has it, with its predicted time."""
    return {"schedule": prediction.schedule.words(), "predicted": prediction.seconds}
