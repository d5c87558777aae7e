"""Advice for a run in which no process has several threads."""

from __future__ import annotations

from dataclasses import replace

from pomp_clang.causes.cube.cube import Cube, CubeMetric
from pomp_clang.causes.properties.property import Property, Remedy

_TAKES_OTHERS = (
    Remedy.BALANCE,
    Remedy.DIVIDE,
    Remedy.LET_IN,
    Remedy.SHARE_OUT,
    Remedy.WIDEN,
    Remedy.OVERLAP,
)
"""Remedies that need other threads in the process."""


def for_one_thread(cube: Cube, kinds: list[type[Property]]) -> Cube:
    """Return the cube with the advice for one thread, where each process has but one."""
    if not cube.threads or len(cube.threads) > len({thread.process for thread in cube.threads}):
        return cube
    metrics = (
        _single_thread_text(metric, kind) for metric, kind in zip(cube.metrics, kinds, strict=True)
    )
    return replace(cube, metrics=tuple(metrics))


def _single_thread_text(metric: CubeMetric, kind: type[Property]) -> CubeMetric:
    advice = "" if kind.remedy in _TAKES_OTHERS else kind.advice_alone
    if advice is None:
        return metric
    return replace(metric, advice=advice, remedy=metric.remedy if advice else "")
