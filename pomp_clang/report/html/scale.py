"""Runs with more and more threads, as a page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pomp_clang.analysis.comparison.scaling import ScaledRegion, Scaling, ScalingPoint
from pomp_clang.report.html.bars import FULL
from pomp_clang.report.html.compare import part_rows, run_view, trust_notes
from pomp_clang.report.html.document import page
from pomp_clang.report.phrases import decimals_for, fraction, percent, seconds
from pomp_clang.report.terminal import heat
from pomp_clang.report.text.scale import (
    HOW,
    efficiency_role,
    losing,
    ratio_text,
    saturation_sentence,
    sharing,
)


def render(scaling: Scaling, top: int | None) -> str:
    regions = sharing(scaling)
    shown_regions = regions[:top]
    lost = losing(scaling)
    decimals = decimals_for(p.time for p in scaling.points)
    return page(
        "scale.html",
        program=scaling.runs[0].experiment.program,
        runs=[run_view(str(run.threads), run, run.analysis.totalT) for run in scaling.runs],
        warnings=trust_notes([(run.experiment.directory, run) for run in scaling.runs]),
        points=[_point(point, decimals) for point in scaling.points],
        plots=_plots(scaling.points),
        saturation=saturation_sentence(scaling.saturation) if scaling.saturation else "",
        parts=part_rows(scaling.runs),
        rows=_rows(shown_regions),
        hidden=len(regions) - len(shown_regions),
        how=HOW,
        lost=[(region.region, [(percent(p), heat(p)) for p in ps]) for region, ps in lost[:top]],
        lost_hidden=len(lost[top:]) if top else 0,
        kinds=sorted({compared.region.kind for compared in shown_regions}),
        full=FULL,
        width=WIDTH,
        height=HEIGHT,
    )


def _plots(points: tuple[ScalingPoint, ...]) -> list[Plot]:
    first = points[0].threads
    ups = [(p.threads, p.speed_up) for p in points if p.speed_up is not None]
    shares = [(p.threads, p.efficiency) for p in points if p.efficiency is not None]
    if not ups:
        return []
    ideal = [(p.threads, p.threads / first) for p in points]
    return [
        plot("Speed-up", ups, ideal),
        plot("Efficiency", shares, [(p.threads, 1.0) for p in points]),
    ]


def _point(point: ScalingPoint, decimals: int) -> dict[str, str]:
    return {
        "threads": str(point.threads),
        "time": seconds(point.time, decimals),
        "speed_up": ratio_text(point.speed_up),
        "efficiency": ratio_text(point.efficiency),
        "serial": fraction(point.serial),
        "role": efficiency_role(point),
    }


def _rows(regions: tuple[ScaledRegion, ...]) -> list[dict[str, object]]:
    times = [scaled.points[0].time if scaled.points[0] else 0.0 for scaled in regions]
    decimals = decimals_for(times)
    return [_row(scaled, time, decimals) for scaled, time in zip(regions, times, strict=True)]


def _row(scaled: ScaledRegion, time: float, decimals: int) -> dict[str, object]:
    return {
        "region": scaled.region,
        "time": time,
        "time_text": seconds(time, decimals),
        "cells": [
            (point.efficiency or 0.0, ratio_text(point.efficiency), efficiency_role(point))
            if point
            else ("", "-", "")
            for point in scaled.points
        ],
    }


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
    """Draw a value over the number of threads; the value axis begins at 0.

    `points` and `ideal` are pairs of threads and value. The line leads through the best run of each
    number of threads.
    """
    threads = sorted({t for t, _ in [*points, *ideal]})
    low, high = threads[0], threads[-1]
    highest = max(value for _, value in [*points, *ideal])
    step = _step(highest)
    top = step * max(1, math.ceil(highest / step - 1e-9))

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


def _step(highest: float) -> float:
    """Return a round distance that makes about four marks."""
    if highest <= 0:
        return 1.0
    rough = highest / 4
    power: float = 10.0 ** math.floor(math.log10(rough))
    return next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough * 0.999)


def _spaced(threads: list[int]) -> list[int]:
    """Keep the numbers whose labels fit: neighbors are at least a tenth of the axis apart."""
    labeled = threads[-1:]
    for thread in reversed(threads[:-1]):
        if labeled[-1] - thread >= (threads[-1] - threads[0]) / 10:
            labeled.append(thread)
    return labeled[::-1]
