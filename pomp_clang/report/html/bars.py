"""Stacked bars: parts of a time as lengths of a drawing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pomp_clang.analysis.overheads import CLASSES, Lost
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.openmp.columns import Column
from pomp_clang.report.parts import PARTS as WHOLE

FULL = 1000
"""The length of a whole bar, in units of the drawing."""

STYLES = {overhead: overhead.value.lower() for overhead in CLASSES}

_BODIES = ("bodyT", "singleT", "sectT")

PARTS = ("work", "tasks", *STYLES.values(), "rest")
"""The styles of what a thread's execT is made of, in the order they are drawn."""

NAMES = {part.style: part.name for part in WHOLE} | {"tasks": "Tasks", "rest": "Rest"}
"""What a style stands for."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a bar: `style` names its colour, `x` and `width` are of `FULL`."""

    style: str
    x: float
    width: float


def bar(parts: Iterable[tuple[str, float]], whole: float) -> tuple[Segment, ...]:
    """The parts one after the other; none that would be too short to see."""
    segments: list[Segment] = []
    at = 0.0
    for style, value in parts:
        length = min(FULL * value / whole if whole > 0 else 0.0, FULL - at)
        if length >= 0.5:
            segments.append(Segment(style, round(at, 1), round(length, 1)))
        at += length
    return tuple(segments)


def lost_parts(lost: Lost) -> list[tuple[str, float]]:
    return [(STYLES[overhead], lost.of(overhead)) for overhead in CLASSES]


def thread_parts(profile: RegionProfile) -> list[list[tuple[str, float]]]:
    """What each thread's execT was: bodies, tasks, losses, and what is left of it."""
    columns = [(column, _style(profile, column)) for column in profile.columns]
    left_over = "rest" if any(column.name in _BODIES for column in profile.columns) else "work"
    found = []
    for row in profile.reached:
        sums = dict.fromkeys(PARTS, 0.0)
        for column, style in columns:
            if style:
                lost = column.overhead is not None
                sums[style] += (column.lost if lost else column.value)(row.measured)
        sums["work"] = max(0.0, sums["work"] - sums["mpi"])
        sums[left_over] += max(0.0, row.measured.execT - sum(sums.values()))
        found.append(list(sums.items()))
    return found


def _style(profile: RegionProfile, column: Column) -> str:
    """What a column is drawn as; "" what is no part of execT, or all of it."""
    overhead = profile.overhead_of(column)
    if overhead is not None:
        return STYLES[overhead]
    if column.name in _BODIES:
        return "work"
    return "tasks" if column.name == "taskT" else ""


@dataclass(frozen=True, slots=True)
class Layer:
    """One part of all threads: the outline of what it and the parts below it add up to."""

    style: str
    path: str


def layers(parts: Sequence[list[tuple[str, float]]], whole: float, height: int) -> list[Layer]:
    """The bars of many threads side by side, a unit wide each, the highest sum first."""
    found = []
    sums = [0.0] * len(parts)
    for index, style in enumerate(style for style, _ in parts[0]) if parts else ():
        grown = [total + each[index][1] for total, each in zip(sums, parts, strict=True)]
        if any(g > s for g, s in zip(grown, sums, strict=True)):
            found.append(Layer(style, _outline(grown, whole, height)))
        sums = grown
    return found[::-1]


def _outline(values: Iterable[float], whole: float, height: int) -> str:
    """Equal neighbours are one step, so that many threads do not make a long path."""
    steps: list[list[int]] = []
    for value in values:
        y = height - round(height * min(1.0, value / whole if whole > 0 else 0.0))
        if steps and steps[-1][0] == y:
            steps[-1][1] += 1
        else:
            steps.append([y, 1])
    return f"M0 {height}" + "".join(f"V{y}h{length}" for y, length in steps) + f"V{height}z"
