"""Stacked bars: parts of a time as lengths of a drawing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pomp_clang.analysis.columns import ReportColumn
from pomp_clang.analysis.overheads import CLASSES, Lost
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.report.phrases import TIME_PARTS, TimePart

FULL = 1000
"""The length of a whole bar, in units of the drawing."""

STYLES = {overhead: overhead.value.lower() for overhead in CLASSES}

_BODIES = ("bodyT", "singleT", "sectT")

PARTS = ("work", "tasks", *STYLES.values(), "rest")
"""The styles of what a thread's execT is made of, in the order they are drawn."""

NAMES = {part.style: part.name for part in TIME_PARTS} | {"tasks": "Tasks", "rest": "Rest"}
"""The meaning of a style."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a bar: `style` names its colour, `x` and `width` are of `FULL`."""

    style: str
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class StackedPart:
    """A part of a whole: where it begins, and its size, both as shares of the whole."""

    style: str
    at: float
    size: float


def stacked(
    parts: Iterable[tuple[str, float]], total: float, minimum: float = 0.0
) -> Iterator[StackedPart]:
    """Lay out the parts one after the other up to the whole, without those smaller than the share
    `minimum`."""
    at = 0.0
    for style, value in parts:
        size = min(value / total if total > 0 else 0.0, 1.0 - at)
        if size > 0 and size >= minimum:
            yield StackedPart(style, at, size)
        at += size


def bar(parts: Iterable[tuple[str, float]], total: float) -> tuple[Segment, ...]:
    """Draw the parts side by side, without those too short to see."""
    return tuple(
        Segment(part.style, round(FULL * part.at, 1), round(FULL * part.size, 1))
        for part in stacked(parts, total, 0.5 / FULL)
    )


def time_parts(values: Mapping[str, float], parts: Iterable[TimePart]) -> list[tuple[str, float]]:
    """Return the styles and times of the parts of all threads' time."""
    return [(part.style, values[part.key]) for part in parts]


def lost_parts(lost: Lost) -> list[tuple[str, float]]:
    return [(STYLES[overhead], lost.of(overhead)) for overhead in CLASSES]


def thread_parts(profile: RegionProfile) -> list[list[tuple[str, float]]]:
    """Split each thread's execT into bodies, tasks, losses, and the rest."""
    columns = [(column, _style(profile, column)) for column in profile.columns]
    left_over = "rest" if any(column.name in _BODIES for column in profile.columns) else "work"
    parts_ = []
    for row in profile.reached:
        sums = dict.fromkeys(PARTS, 0.0)
        for column, style in columns:
            if style:
                lost = column.overhead is not None
                sums[style] += (column.lost if lost else column.value)(row.measured)
        sums["work"] = max(0.0, sums["work"] - sums["mpi"])
        sums[left_over] += max(0.0, row.measured.execT - sum(sums.values()))
        parts_.append(list(sums.items()))
    return parts_


def _style(profile: RegionProfile, column: ReportColumn) -> str:
    """Return the style of a column; "" if it is no part of execT, or equal to execT."""
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


def layers(parts: Sequence[list[tuple[str, float]]], longest: float, height: int) -> list[Layer]:
    """Draw the bars of many threads, one unit wide each; the outline of the highest sum comes
    first."""
    layers_ = []
    sums = [0.0] * len(parts)
    for index, style in enumerate(style for style, _ in parts[0]) if parts else ():
        grown = [
            total + parts_of_layer[index][1]
            for total, parts_of_layer in zip(sums, parts, strict=True)
        ]
        if any(g > s for g, s in zip(grown, sums, strict=True)):
            layers_.append(Layer(style, _outline(grown, longest, height)))
        sums = grown
    return layers_[::-1]


def _outline(values: Iterable[float], total: float, height: int) -> str:
    """Draw the outline; equal neighbors are one step, so that many threads keep the path short."""
    steps: list[list[int]] = []
    for value in values:
        y = height - round(height * min(1.0, value / total if total > 0 else 0.0))
        if steps and steps[-1][0] == y:
            steps[-1][1] += 1
        else:
            steps.append([y, 1])
    return f"M0 {height}" + "".join(f"V{y}h{length}" for y, length in steps) + f"V{height}z"
