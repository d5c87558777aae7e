"""The severities of a run's root causes as a .cubex of CUBE 4: properties x call paths x threads.

A metric's values include those of the metrics below it, but not those of the call paths below.  A
call path without a severity of a property has no row there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TypeVar

import numpy as np

from pomp_clang.causes.cube.cube import Cube, CubeMetric
from pomp_clang.causes.findings.analyze_experiments import analysed
from pomp_clang.causes.properties.registry import PropertyError, properties
from pomp_clang.causes.timeline.places import Place, Thread
from pomp_clang.export.callpath_tree import construct, paradigm_of, role_of
from pomp_clang.export.cube.cubex import (
    NO_LINES,
    CubeCallPath,
    CubeContent,
    CubeFileMetric,
    CubeNode,
    CubeProcess,
    CubeRegion,
    Values,
    program_region,
    write_cubex,
)
from pomp_clang.export.write_export import ExportError
from pomp_clang.progress import ProgressCallback

_UNITS = {"s": "sec"}
"""Units that CUBE calls by another name."""

_Row = TypeVar("_Row", CubeMetric, Place)


def write(directory: str, output: Path, progress: ProgressCallback) -> str:
    """Write the file, as `formats.Format` says; the directory may be a cube that was saved."""
    try:
        cube = analysed(directory, properties(), lambda _, part: progress(part / 2)).cube
    except PropertyError as error:
        raise ExportError(str(error)) from error
    metrics = depth_first([metric.above for metric in cube.metrics])
    paths = depth_first([path.above for path in cube.paths])
    threads = _by_process(cube.threads)
    ordered = replace(
        cube,
        metrics=_reordered(cube.metrics, metrics),
        paths=_reordered(cube.paths, paths),
        threads=tuple(cube.threads[row] for row in threads),
    )
    values = (_values(cube.dense(metric)[np.ix_(paths, threads)]) for metric in metrics)
    write_cubex(output, _content(ordered), values, lambda part: progress((1 + part) / 2))
    return f"{len(metrics)} properties, {len(paths)} call paths, {len(threads)} threads"


def depth_first(above: Sequence[int]) -> list[int]:
    """Return rows in CUBE's order: children right after their parent; `above` is -1 for none."""
    below: list[list[int]] = [[] for _ in range(len(above) + 1)]
    for row, parent in enumerate(above):
        below[parent].append(row)
    order: list[int] = []
    waiting = below[-1][::-1]
    while waiting:
        order.append(waiting.pop())
        waiting += reversed(below[order[-1]])
    return order


def _reordered(rows: tuple[_Row, ...], order: list[int]) -> tuple[_Row, ...]:
    place = {row: new for new, row in enumerate(order)} | {-1: -1}
    return tuple(replace(rows[row], above=place[rows[row].above]) for row in order)


def _by_process(threads: tuple[Thread, ...]) -> list[int]:
    """Return rows sorted by machine, node and process, each in the order of first appearance."""
    seen: dict[tuple[str | int, ...], int] = {}

    def place(row: int) -> tuple[int, ...]:
        thread = threads[row]
        line = thread.machine, thread.node, thread.process
        return tuple(seen.setdefault(line[:level], len(seen)) for level in (1, 2, 3))

    return sorted(range(len(threads)), key=place)


def _values(cells: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Values:
    """Return the rows that have a severity; the first where none has, which pycubexr needs."""
    filled = np.flatnonzero(cells.any(axis=1))
    rows = filled if len(filled) else np.arange(min(1, len(cells)))
    return rows.tolist(), cells[rows].astype("<f8").tobytes()


def _content(cube: Cube) -> CubeContent:
    """Return the content of a cube whose rows are depth first, the threads of a process together."""
    return CubeContent(
        [
            CubeFileMetric(
                name,
                metric.name,
                _UNITS.get(metric.unit, metric.unit),
                "DOUBLE",
                f"{metric.description} {metric.advice}".strip(),
                metric.above,
            )
            for metric, name in zip(cube.metrics, names_of(cube), strict=True)
        ],
        [CubeCallPath(place.above, _region(place)) for place in cube.paths],
        *_system(cube.threads),
    )


def names_of(cube: Cube) -> list[str]:
    """Return a unique name for each metric: with its parents' names where the name is not."""
    times = Counter(metric.name for metric in cube.metrics)
    names = [
        metric.name if times[metric.name] == 1 else " ".join(cube.metric_path(row))
        for row, metric in enumerate(cube.metrics)
    ]
    return [re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") for name in names]


def _region(place: Place) -> CubeRegion:
    """Return the region of a call path; a task that runs and its creation are two regions."""
    if place.kind == "program":
        return program_region(place.name)
    creates = place.kind == "task" and not place.task
    return CubeRegion(
        (place.kind, place.name, place.file, place.line, place.task),
        construct(place.kind, place.name, place.file, place.line, creates),
        place.file,
        (place.line, place.line) if place.line else NO_LINES,
        paradigm_of(place.kind),
        "task create" if creates else role_of(place.kind),
    )


def _system(threads: tuple[Thread, ...]) -> tuple[str, list[CubeNode]]:
    """Return the machine's name ("machine" for several), and the nodes of all machines."""
    machines = {thread.machine for thread in threads}
    sole = machines.pop() if len(machines) == 1 else ""
    nodes = [
        CubeNode(
            " ".join(filter(None, ("" if sole else machine, node))) or "node",
            tuple(_processes(of_node)),
        )
        for (machine, node), of_node in groupby(
            threads, lambda thread: (thread.machine, thread.node)
        )
    ]
    return sole or "machine", nodes


def _processes(threads: Iterator[Thread]) -> Iterator[CubeProcess]:
    for rank, of_process in groupby(threads, lambda thread: thread.process):
        numbers = tuple(thread.thread for thread in of_process)
        yield CubeProcess(f"Process {rank}", rank, numbers)
