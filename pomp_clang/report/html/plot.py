"""A line over the number of threads, as a drawing with axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 420, 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 12, 14, 38


@dataclass(frozen=True, slots=True)
class Tick:
    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Plot:
    """Coordinates of a drawing of `WIDTH` x `HEIGHT`; lines are lists of points as text."""

    title: str
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    line: str
    ideal: str
    dots: tuple[tuple[float, float, str], ...]
    left: int = _LEFT
    right: int = WIDTH - _RIGHT
    top: int = _TOP
    bottom: int = HEIGHT - _BOTTOM


def plot(
    title: str, points: Sequence[tuple[int, float]], ideal: Sequence[tuple[int, float]]
) -> Plot:
    """`points` and `ideal` are threads and values; the value axis begins at 0.

    The line leads through the best of each number of threads.
    """
    threads = sorted({t for t, _ in [*points, *ideal]})
    low, high = threads[0], threads[-1]
    most = max(value for _, value in [*points, *ideal])
    step = _step(most)
    top = step * max(1, math.ceil(most / step - 1e-9))

    def x(value: float) -> float:
        span = WIDTH - _LEFT - _RIGHT
        return round(_LEFT + (span * (value - low) / (high - low) if high > low else span / 2), 1)

    def y(value: float) -> float:
        return round(HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * value / top, 1)

    def line(values: Sequence[tuple[int, float]]) -> str:
        return " ".join(f"{x(t)},{y(value)}" for t, value in values)

    best: dict[int, float] = {}
    for count, value in points:
        best[count] = max(value, best.get(count, value))
    marks = round(top / step)
    return Plot(
        title=title,
        x_ticks=tuple(Tick(x(t), str(t)) for t in _spaced(threads)),
        y_ticks=tuple(Tick(y(step * i), f"{step * i:g}") for i in range(marks + 1)),
        line=line(sorted(best.items())),
        ideal=line(ideal),
        dots=tuple((x(t), y(value), f"{value:.2f} with {t} threads") for t, value in points),
    )


def _step(most: float) -> float:
    """A round distance of about four marks."""
    if most <= 0:
        return 1.0
    rough = most / 4
    power: float = 10.0 ** math.floor(math.log10(rough))
    return next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough * 0.999)


def _spaced(threads: list[int]) -> list[int]:
    """Those with room for their label: none nearer to the next than a tenth of the axis."""
    kept = threads[-1:]
    for each in reversed(threads[:-1]):
        if kept[-1] - each >= (threads[-1] - threads[0]) / 10:
            kept.append(each)
    return kept[::-1]
