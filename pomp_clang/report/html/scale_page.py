"""Runs with more and more threads, as a page."""

from __future__ import annotations

from pomp_clang.analysis.scaling import Point, ScaledRegion, Scaling
from pomp_clang.report.html.bars import FULL
from pomp_clang.report.html.document import page
from pomp_clang.report.html.plot import HEIGHT, WIDTH, Plot, plot
from pomp_clang.report.html.runs import part_rows, run_view
from pomp_clang.report.scale_text import HOW, efficiency_role, losing, said, sharing
from pomp_clang.report.terminal import heat
from pomp_clang.report.wording import decimals_for, fraction, percent, seconds


def render(scaling: Scaling, top: int | None) -> str:
    regions = sharing(scaling)
    shown = regions[:top]
    lost = losing(scaling)
    decimals = decimals_for(p.time for p in scaling.points)
    return page(
        "scale.html",
        program=scaling.runs[0].experiment.program,
        runs=[run_view(str(run.threads), run, run.analysis.totalT) for run in scaling.runs],
        points=[_point(point, decimals) for point in scaling.points],
        plots=_plots(scaling.points),
        parts=part_rows(scaling.runs),
        rows=_rows(shown),
        hidden=len(regions) - len(shown),
        how=HOW,
        lost=[(each.region, [(percent(p), heat(p)) for p in ps]) for each, ps in lost[:top]],
        lost_hidden=len(lost[top:]) if top else 0,
        kinds=sorted({each.region.kind for each in shown}),
        full=FULL,
        width=WIDTH,
        height=HEIGHT,
    )


def _plots(points: tuple[Point, ...]) -> list[Plot]:
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


def _point(point: Point, decimals: int) -> dict[str, str]:
    return {
        "threads": str(point.threads),
        "time": seconds(point.time, decimals),
        "speed_up": said(point.speed_up),
        "efficiency": said(point.efficiency),
        "serial": fraction(point.serial),
        "role": efficiency_role(point),
    }


def _rows(shown: tuple[ScaledRegion, ...]) -> list[dict[str, object]]:
    times = [scaled.points[0].time if scaled.points[0] else 0.0 for scaled in shown]
    decimals = decimals_for(times)
    return [_row(scaled, time, decimals) for scaled, time in zip(shown, times, strict=True)]


def _row(scaled: ScaledRegion, time: float, decimals: int) -> dict[str, object]:
    return {
        "region": scaled.region,
        "time": time,
        "time_said": seconds(time, decimals),
        "cells": [
            (point.efficiency or 0.0, said(point.efficiency), efficiency_role(point))
            if point
            else ("", "-", "")
            for point in scaled.points
        ],
    }
