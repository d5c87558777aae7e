"""The cube: severities of all properties by call path and thread, without zeros."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field, replace

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.cube.instance_statistics import Instance, InstanceTables, Statistics
from pomp_clang.causes.properties.property import Property, Remedy
from pomp_clang.causes.properties.registry import severity_of
from pomp_clang.causes.run.idle import threads_at_once
from pomp_clang.causes.run.run import Cells, Progress, Run, silent
from pomp_clang.causes.timeline.location_timeline import sums
from pomp_clang.causes.timeline.places import Place, Thread
from pomp_clang.experiment.source_folder import below, folder_of
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.model import Ints

Rows = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class CubeMetric:
    """A property as a row of a cube. `above` is its parent's row, which comes before it, or -1.
    Texts do not distinguish metrics, as a cube that was saved earlier has other words."""

    above: int
    name: str
    unit: str
    description: str = field(default="", compare=False)
    advice: str = field(default="", compare=False)
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Cube:
    """The severities of a program. `value[i]` belongs to metric `metric[i]`, call path `path[i]`
    and thread `thread[i]`: inclusive of metrics below, exclusive of paths below.

    Rows are sorted by these three, without duplicates. `duration` is seconds. `instances` are of
    all threads, None if unknown. `complete` is False if a program ended early. `threads_at_once`
    are those that have work at a time, at most; None: all.
    """

    program: str
    duration: float
    metrics: tuple[CubeMetric, ...]
    paths: tuple[Place, ...]
    threads: tuple[Thread, ...]
    metric: Rows
    path: Rows
    thread: Rows
    value: npt.NDArray[np.float64]
    instances: InstanceTables | None = None
    complete: bool = True
    threads_at_once: int | None = None

    @property
    def width(self) -> int:
        """The number of threads whose time is the whole."""
        return len(self.threads) if self.threads_at_once is None else self.threads_at_once

    @property
    def reserved(self) -> float:
        """The CPU-reservation time in seconds: the duration times the number of threads at a time."""
        return self.duration * self.width

    def dense(self, metric: int) -> Cells:
        """Return one metric's severities by call path and thread."""
        rows = slice(*np.searchsorted(self.metric, [metric, metric + 1]))
        cells = np.zeros((len(self.paths), len(self.threads)))
        cells[self.path[rows], self.thread[rows]] = self.value[rows]
        return cells

    def statistics(self, metric: int, path: int | None = None) -> Statistics | None:
        """Return the statistics of the instances at a call path, or at all; None if there are none,
        or if they are unknown."""
        return self.instances.statistics(metric, path) if self.instances is not None else None

    def worst(self, metric: int, path: int | None = None) -> tuple[Instance, ...]:
        """Return the worst instances at a call path, or at all, the worst first."""
        if self.instances is None:
            return ()
        return self.instances.worst_of(self.threads, metric, path)

    def totals(self) -> npt.NDArray[np.float64]:
        """Return each metric's severity summed over call paths and threads."""
        return sums(self.metric, self.value, len(self.metrics))

    def metric_path(self, metric: int) -> list[str]:
        """Return the metric's name, preceded by those of its ancestors."""
        names: list[str] = []
        while metric >= 0:
            names.append(self.metrics[metric].name)
            metric = self.metrics[metric].above
        return names[::-1]

    def call_path(self, path: int) -> list[int]:
        """Return the rows that lead to a call path, outermost first. The program's row is only in
        its own call path."""
        rows: list[int] = []
        while path > 0:
            rows.append(path)
            path = self.paths[path].above
        return rows[::-1] or [0]

    def word_of(self, path: int) -> str:
        """Return a call path's label: the name of a function, user region or program, the directive
        of a construct."""
        place = self.paths[path]
        named = path == 0 or (place.kind in ("function", "region") and place.name)
        return place.name if named else place.kind


_RELATIVE_NOISE = 1e-12
"""The part of the reserved time up to which a severity counts as 0: rounding of differences."""


def compute(run: Run, properties: Iterable[type[Property]], progress: Progress = silent) -> Cube:
    """Return the cube of a run; parents come before their parts in `properties`."""
    order = list(properties)
    noise = _RELATIVE_NOISE * run.duration * len(run.threads)
    severities: dict[type[Property], _Sparse | None] = {}
    for number, kind in enumerate(order):
        progress(kind.name, number / len(order))
        cells = severity_of(kind, run)
        severities[kind] = None if cells is None else _sparse(cells, noise)
    columns = _summed(severities, len(run.paths) * len(run.threads))
    metric = np.repeat(
        np.arange(len(order), dtype=np.uint32), [len(sparse[0]) for sparse in columns]
    )
    cell, value = (np.concatenate(column) for column in zip(_NOTHING, *columns, strict=True))
    path, thread = np.divmod(cell, max(1, len(run.threads)))
    return Cube(
        run.paths[0].name,
        run.duration,
        _metrics(order),
        run.paths,
        run.threads,
        metric,
        path.astype(np.uint32),
        thread.astype(np.uint32),
        value,
        complete=run.complete,
        threads_at_once=threads_at_once(run),
    )


def _metrics(order: list[type[Property]]) -> tuple[CubeMetric, ...]:
    rows: dict[type[Property] | None, int] = {None: -1}
    metrics = []
    for row, kind in enumerate(order):
        rows[kind] = row
        remedy = kind.remedy
        fix = remedy.name if isinstance(remedy, Remedy) else ""
        above = rows[kind.parent]
        metrics.append(CubeMetric(above, kind.name, kind.unit, kind.description, kind.advice, fix))
    return tuple(metrics)


_Sparse = tuple[Ints, npt.NDArray[np.float64]]
"""The numbers of the cells (`path * threads + thread`) whose severity is not 0, and the severities."""

_NOTHING: _Sparse = np.zeros(0, np.int64), np.zeros(0)


def _summed(severities: dict[type[Property], _Sparse | None], size: int) -> list[_Sparse]:
    """Return the severities of all properties; those without severities of their own are the sum of
    their parts, which come after them."""
    columns: dict[type[Property], _Sparse] = {}
    parts: dict[type[Property] | None, list[_Sparse]] = {}
    for kind, severity in reversed(severities.items()):
        columns[kind] = column = _sum(parts.get(kind, []), size) if severity is None else severity
        if len(column[0]):
            parts.setdefault(kind.parent, []).append(column)
    return [columns[kind] for kind in severities]


def _sum(parts: list[_Sparse], size: int) -> _Sparse:
    if len(parts) < 2:
        return parts[0] if parts else _NOTHING
    cell, value = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _sparse(sums(cell, value, size), 0)


def _sparse(cells: Cells, noise: float) -> _Sparse:
    cells = cells.reshape(-1)
    (nonzero,) = cells.nonzero()
    if not len(nonzero):
        return _NOTHING
    value = cells[nonzero]
    is_more = np.abs(value) > noise
    return nonzero[is_more], value[is_more]


def common_folder(cube: Cube) -> str:
    """Return the folder that has all files with an absolute name; "" if there is none."""
    return folder_of(place.file for place in cube.paths)


def named_from(cube: Cube, folder: str) -> Cube:
    """Return the cube with the files below `folder` named from there."""
    if not folder:
        return cube
    return renamed(cube, lambda place: replace(place, file=below(folder, place.file)))


def named_from_common_folder(cube: Cube) -> Cube:
    """Return the cube with relative file names, so that two checkouts are alike."""
    return named_from(cube, common_folder(cube))


def renamed(cube: Cube, name: Callable[[Place], Place]) -> Cube:
    """Return the cube with changed call paths. Paths that become equal are merged when cubes are
    aligned."""
    return replace(cube, paths=tuple(name(place) for place in cube.paths))
