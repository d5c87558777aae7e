"""Severities of all properties by call path and thread, as columns without what is 0."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.course import sums
from pomp_clang.causes.places import Place, Thread
from pomp_clang.causes.property import Property, Remedy
from pomp_clang.causes.registry import severity_of
from pomp_clang.causes.run import Cells, Progress, Run, silent
from pomp_clang.causes.tally import Instance, Statistics, Tally
from pomp_clang.trace.model import Ints

Rows = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Metric:
    """A property as a cube keeps it; `above` is its parent's row, -1 for none, and comes before."""

    above: int
    name: str
    unit: str
    description: str = ""
    advice: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Cube:
    """`value[i]` is the severity of metric `metric[i]` at call path `path[i]` on thread
    `thread[i]`: inclusive of the metrics below, exclusive of the paths below.  In the order of
    these three; none is there twice.  `duration` is seconds; `instances` are of all threads, None
    where they are not known.  `complete` is False where a program ended early."""

    program: str
    duration: float
    metrics: tuple[Metric, ...]
    paths: tuple[Place, ...]
    threads: tuple[Thread, ...]
    metric: Rows
    path: Rows
    thread: Rows
    value: npt.NDArray[np.float64]
    instances: Tally | None = None
    complete: bool = True

    @property
    def reserved(self) -> float:
        """The CPU-reservation time."""
        return self.duration * len(self.threads)

    def dense(self, metric: int) -> Cells:
        """One metric's severities."""
        here = slice(*np.searchsorted(self.metric, [metric, metric + 1]))
        cells = np.zeros((len(self.paths), len(self.threads)))
        cells[self.path[here], self.thread[here]] = self.value[here]
        return cells

    def statistics(self, metric: int, path: int | None = None) -> Statistics | None:
        """Of the instances at a call path, or at all; None where there are none, or not known."""
        return self.instances.statistics(metric, path) if self.instances is not None else None

    def worst(self, metric: int, path: int | None = None) -> tuple[Instance, ...]:
        """Its instances, the worst first."""
        if self.instances is None:
            return ()
        return self.instances.worst_of(self.threads, metric, path)

    def totals(self) -> npt.NDArray[np.float64]:
        """Of each metric, over all."""
        return sums(self.metric, self.value, len(self.metrics))

    def metric_path(self, metric: int) -> list[str]:
        """Its name below those that it is a part of."""
        names: list[str] = []
        while metric >= 0:
            names.append(self.metrics[metric].name)
            metric = self.metrics[metric].above
        return names[::-1]

    def call_path(self, path: int) -> list[int]:
        """The rows that lead to a path, outermost first; without the program's unless it is it."""
        rows: list[int] = []
        while path > 0:
            rows.append(path)
            path = self.paths[path].above
        return rows[::-1] or [0]

    def word_of(self, path: int) -> str:
        """Of its region: of functions, user regions and the program their name, of constructs their
        directive."""
        place = self.paths[path]
        named = path == 0 or (place.kind in ("function", "region") and place.name)
        return place.name if named else place.kind


_RELATIVE_NOISE = 1e-12
"""Of the reserved time: what a difference of sums that should be 0 may come to."""


def compute(run: Run, properties: Iterable[type[Property]], progress: Progress = silent) -> Cube:
    """The severities of all properties, of which parents come first."""
    order = list(properties)
    noise = _RELATIVE_NOISE * run.duration * len(run.threads)
    found: dict[type[Property], _Sparse | None] = {}
    for number, kind in enumerate(order):
        progress(kind.name, number / len(order))
        cells = severity_of(kind, run)
        found[kind] = None if cells is None else _sparse(cells, noise)
    columns = _summed(found, len(run.paths) * len(run.threads))
    metric = np.repeat(np.arange(len(order), dtype=np.uint32), [len(each[0]) for each in columns])
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
    )


def _metrics(order: list[type[Property]]) -> tuple[Metric, ...]:
    rows: dict[type[Property] | None, int] = {None: -1}
    metrics = []
    for row, kind in enumerate(order):
        rows[kind] = row
        remedy = kind.remedy
        said = remedy.name if isinstance(remedy, Remedy) else ""
        above = rows[kind.parent]
        metrics.append(Metric(above, kind.name, kind.unit, kind.description, kind.advice, said))
    return tuple(metrics)


_Sparse = tuple[Ints, npt.NDArray[np.float64]]
"""Where a severity is not 0, in its cells one path after the other, and what it is there."""

_NOTHING: _Sparse = np.zeros(0, np.int64), np.zeros(0)


def _summed(found: dict[type[Property], _Sparse | None], size: int) -> list[_Sparse]:
    """With those that are the sum of their parts, which come after them."""
    columns: dict[type[Property], _Sparse] = {}
    parts: dict[type[Property] | None, list[_Sparse]] = {}
    for kind, own in reversed(found.items()):
        columns[kind] = here = _sum(parts.get(kind, []), size) if own is None else own
        if len(here[0]):
            parts.setdefault(kind.parent, []).append(here)
    return [columns[kind] for kind in found]


def _sum(parts: list[_Sparse], size: int) -> _Sparse:
    if len(parts) < 2:
        return parts[0] if parts else _NOTHING
    cell, value = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _sparse(sums(cell, value, size), 0)


def _sparse(cells: Cells, noise: float) -> _Sparse:
    cells = cells.reshape(-1)
    (here,) = cells.nonzero()
    if not len(here):
        return _NOTHING
    value = cells[here]
    is_more = np.abs(value) > noise
    return here[is_more], value[is_more]
