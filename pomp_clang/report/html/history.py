"""The run over time as a drawing: a column for each step, as wide as it lasted."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.analysis.properties import lasting
from pomp_clang.analysis.timeline import Step, timeline
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.html.bars import FULL, NAMES
from pomp_clang.report.wording import percent

MOST = 200
"""Columns; of more profiles some are taken together."""

HEIGHT = 160


@dataclass(frozen=True, slots=True)
class Part:
    style: str
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Column:
    """A step: `x` and `width` are of `FULL`, parts are stacked within `HEIGHT`."""

    x: float
    width: float
    said: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class History:
    columns: tuple[Column, ...]
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
        tuple((FULL * i / 4, lasting(experiment.duration * i / 4)) for i in range(5)),
        len(experiment.snapshots),
        tuple(name.lower() for name in steps[0].parts),
    )


def _column(step: Step, scale: float) -> Column:
    parts = []
    at = 0.0
    for name, value in step.parts.items():
        height = HEIGHT * value / step.total if step.total else 0.0
        parts.append(Part(name.lower(), round(HEIGHT - at - height, 1), round(height, 1)))
        at += height
    said = ", ".join(
        f"{NAMES[name.lower()]} {percent(value / step.total)} %"
        for name, value in step.parts.items()
        if step.total and value / step.total >= 0.005
    )
    width = (step.end - step.begin) * scale
    return Column(
        round(step.begin * scale, 2),
        round(width, 2),
        f"{lasting(step.begin)} to {lasting(step.end)}: {said}",
        tuple(part for part in parts if part.height > 0),
    )
