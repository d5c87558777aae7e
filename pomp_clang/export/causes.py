"""The severities of a run's causes as a .cubex of CUBE 4: properties x call paths x threads.

A metric's values hold those of the metrics below it, and not those of the call paths below; a call
path that has none of a property has no row there.
"""

from __future__ import annotations

import tarfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from pomp_clang.causes.cube import Metric
from pomp_clang.causes.experiments import analysed
from pomp_clang.causes.places import Place, Thread
from pomp_clang.causes.registry import PropertyError, properties
from pomp_clang.export.causes_anchor import anchor
from pomp_clang.export.cube import add, index
from pomp_clang.export.errors import ExportError
from pomp_clang.progress import Told

_DATA = b"CUBEX.DATA"

_Row = TypeVar("_Row", Metric, Place)


def write(directory: str, output: Path, told: Told) -> str:
    """As `formats.Format` says, of a trace or a cube that was saved."""
    try:
        cube = analysed(directory, properties(), lambda _, part: told(part / 2)).cube
    except PropertyError as error:
        raise ExportError(str(error)) from error
    metrics = depth_first([each.above for each in cube.metrics])
    paths = depth_first([each.above for each in cube.paths])
    threads = _by_process(cube.threads)
    ordered = replace(
        cube,
        metrics=_moved(cube.metrics, metrics),
        paths=_moved(cube.paths, paths),
        threads=tuple(cube.threads[each] for each in threads),
    )
    with tarfile.open(output, "w", format=tarfile.USTAR_FORMAT) as tar:
        add(tar, "anchor.xml", "".join(anchor(ordered)).encode())
        for number, metric in enumerate(metrics):
            cells = cube.dense(metric)[np.ix_(paths, threads)]
            found = np.flatnonzero(cells.any(axis=1))
            # A metric without a row is none to pycubexr.
            here = found if len(found) else np.arange(min(1, len(paths)))
            add(tar, f"{number}.index", index(here.tolist()))
            add(tar, f"{number}.data", _DATA + cells[here].astype("<f8").tobytes())
            told((1 + (number + 1) / len(metrics)) / 2)
    return f"{len(metrics)} properties, {len(paths)} call paths, {len(threads)} threads"


def depth_first(above: Sequence[int]) -> list[int]:
    """CUBE has a tree so: what is below a row comes right after it.  `above` is -1 for none."""
    below: list[list[int]] = [[] for _ in range(len(above) + 1)]
    for row, each in enumerate(above):
        below[each].append(row)
    order: list[int] = []
    waiting = below[-1][::-1]
    while waiting:
        order.append(waiting.pop())
        waiting += reversed(below[order[-1]])
    return order


def _moved(rows: tuple[_Row, ...], order: list[int]) -> tuple[_Row, ...]:
    place = {row: new for new, row in enumerate(order)} | {-1: -1}
    return tuple(replace(rows[row], above=place[rows[row].above]) for row in order)


def _by_process(threads: tuple[Thread, ...]) -> list[int]:
    """Those of a machine, a node there, and a process there stand together, as they first come."""
    seen: dict[tuple[str | int, ...], int] = {}

    def place(row: int) -> tuple[int, ...]:
        each = threads[row]
        line = each.machine, each.node, each.process
        return tuple(seen.setdefault(line[:level], len(seen)) for level in (1, 2, 3))

    return sorted(range(len(threads)), key=place)
