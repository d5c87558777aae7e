"""Operations on cubes: merge, difference, alignment, cut, and the part that a user names."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from pomp_clang.analysis.property_titles import tree_title
from pomp_clang.causes.cube.cube import Cube, CubeMetric, named_from_common_folder
from pomp_clang.causes.cube.instance_statistics import InstanceTables, together
from pomp_clang.causes.timeline.columns import are_among, numbered
from pomp_clang.causes.timeline.places import Place, Thread
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.model import Ints

T = TypeVar("T", CubeMetric, Place)


@dataclass(frozen=True, slots=True)
class _Union:
    """The metrics and call paths of several cubes in one table. `metric_rows[n]` and `path_rows[n]`
    map the rows of cube `n` to this table."""

    metrics: tuple[CubeMetric, ...]
    paths: tuple[Place, ...]
    metric_rows: list[Ints]
    path_rows: list[Ints]

    def only(self, part: int) -> _Union:
        return replace(self, metric_rows=[self.metric_rows[part]], path_rows=[self.path_rows[part]])


def merge(cubes: Iterable[Cube]) -> Cube:
    """Return one cube of the processes of a program. Their threads stay apart, and processes are
    numbered in the order given. The duration is the longest one's."""
    parts = list(cubes)
    union = _union(parts)
    threads: list[Thread] = []
    thread_rows = []
    numbers: list[dict[int, int]] = []
    process = 0
    for cube in parts:
        thread_rows.append(np.arange(len(cube.threads)) + len(threads))
        processes = sorted({thread.process for thread in cube.threads})
        number = {process_there: process + place for place, process_there in enumerate(processes)}
        threads += [replace(thread, process=number[thread.process]) for thread in cube.threads]
        process += len(processes)
        numbers.append(number)
    duration = max((cube.duration for cube in parts), default=0.0)
    signs = [1.0] * len(parts)
    merged = _joined(parts, union, tuple(threads), thread_rows, signs, duration)
    return replace(
        merged,
        instances=_all_instances(parts, union, thread_rows, numbers),
        threads_at_once=sum(cube.width for cube in parts),
    )


def difference(before: Cube, after: Cube) -> Cube:
    """Return the second cube's severities minus the first's, by property, call path and thread
    (with the same number in its process). The duration is a difference, too."""
    parts = [before, after]
    threads, rows = _same_threads(parts)
    duration = after.duration - before.duration
    return _joined(parts, _union(parts), threads, rows, [-1.0, 1.0], duration)


def aligned(before: Cube, after: Cube) -> tuple[Cube, Cube]:
    """Return both cubes with the same metrics, call paths and threads, in the same rows."""
    parts = [before, after]
    threads, rows = _same_threads(parts)
    union = _union(parts)
    same = {thread.process: thread.process for thread in threads}
    first, second = (
        replace(
            _joined([cube], union.only(number), threads, [rows[number]], [1.0], cube.duration),
            program=cube.program,
            threads_at_once=cube.width,
            instances=_all_instances([cube], union.only(number), [rows[number]], [same]),
        )
        for number, cube in enumerate(parts)
    )
    return first, second


def _same_threads(parts: list[Cube]) -> tuple[tuple[Thread, ...], list[Ints]]:
    numbers: dict[tuple[int, int], int] = {}
    threads: list[Thread] = []
    rows = []
    for cube in parts:
        own_rows = []
        for thread in cube.threads:
            key = thread.process, thread.thread
            if key not in numbers:
                numbers[key] = len(threads)
                threads.append(thread)
            own_rows.append(numbers[key])
        rows.append(np.array(own_rows, np.int64))
    return tuple(threads), rows


def cut(
    cube: Cube,
    metrics: Collection[int] | None = None,
    paths: Collection[int] | None = None,
    threads: Collection[int] | None = None,
) -> Cube:
    """Return a cube of only some metrics (with their parts), call paths (with those below) and
    threads. The instances of some threads alone are not known."""
    metrics_kept = _below([metric.above for metric in cube.metrics], metrics)
    paths_kept = _below([path.above for path in cube.paths], paths)
    keep = metrics_kept[cube.metric] & paths_kept[cube.path]
    instances = cube.instances
    if threads is not None:
        keep &= are_among(cube.thread, np.array(sorted(threads), np.uint32))
        instances = None
    return replace(
        cube,
        instances=instances and instances.kept(metrics_kept, paths_kept),
        metric=cube.metric[keep],
        path=cube.path[keep],
        thread=cube.thread[keep],
        value=cube.value[keep],
    )


def _all_instances(
    parts: list[Cube], union: _Union, thread_rows: list[Ints], numbers: list[dict[int, int]]
) -> InstanceTables | None:
    """Return the instances of all cubes in one table; None if one has none. `numbers[n]` maps the
    processes of cube `n`."""
    moved = []
    for part, (cube, processes) in enumerate(zip(parts, numbers, strict=True)):
        if cube.instances is None:
            return None
        rows = union.metric_rows[part], union.path_rows[part], thread_rows[part]
        moved.append(cube.instances.moved(*rows, processes))
    return together(moved)


def _below(above: list[int], top: Collection[int] | None) -> npt.NDArray[np.bool_]:
    """Return a mask of the rows in `top` and below; None selects all."""
    inside = np.full(len(above), top is None)
    if top is None:
        return inside
    for row, parent in enumerate(above):
        inside[row] = row in top or (parent >= 0 and inside[parent])
    return inside


def _union(parts: list[Cube]) -> _Union:
    metrics, metric_rows = _tables([cube.metrics for cube in parts])
    paths, path_rows = of_all([cube.paths for cube in parts])
    return _Union(metrics, paths, metric_rows, path_rows)


def of_all(place_lists: list[tuple[Place, ...]]) -> tuple[tuple[Place, ...], list[Ints]]:
    """Return one table of all call paths, and the row there of each call path of each table."""
    return _tables([_named_alike(paths, place_lists[0]) for paths in place_lists])


def _named_alike(paths: tuple[Place, ...], first: tuple[Place, ...]) -> tuple[Place, ...]:
    """Return the call paths with the first table's name of the program."""
    return (replace(paths[0], name=first[0].name), *paths[1:])


def _tables(tables: list[tuple[T, ...]]) -> tuple[tuple[T, ...], list[Ints]]:
    known: dict[T, int] = {}
    rows = []
    for table in tables:
        own_rows: list[int] = []
        for row in table:
            moved = replace(row, above=own_rows[row.above] if row.above >= 0 else -1)
            own_rows.append(known.setdefault(moved, len(known)))
        rows.append(np.array(own_rows, np.int64))
    return tuple(known), rows


def _joined(
    parts: list[Cube],
    union: _Union,
    threads: tuple[Thread, ...],
    thread_rows: list[Ints],
    signs: list[float],
    duration: float,
) -> Cube:
    paths, count = len(union.paths), max(1, len(threads))
    keys = [np.zeros(0, np.int64)]
    values = [np.zeros(0)]
    for number, (cube, sign) in enumerate(zip(parts, signs, strict=True)):
        metric = union.metric_rows[number][cube.metric]
        path = union.path_rows[number][cube.path]
        keys.append((metric * paths + path) * count + thread_rows[number][cube.thread])
        values.append(sign * cube.value)
    key, place = numbered(np.concatenate(keys))
    value = np.bincount(place, weights=np.concatenate(values), minlength=len(key))
    key, value = key[value != 0], value[value != 0]
    return Cube(
        parts[0].program if parts else "",
        duration,
        union.metrics,
        union.paths,
        threads,
        (key // (paths * count)).astype(np.uint32),
        (key // count % paths).astype(np.uint32),
        (key % count).astype(np.uint32),
        np.asarray(value, np.float64),
        complete=all(cube.complete for cube in parts),
    )


class SelectionError(Exception):
    """A name that nothing in the cube has: one line."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The selection by a user: a property's name or title (`only`), a place (`at`: FILE:LINE, FILE or a
    name), and a thread (`thread`: its number, or PROCESS.THREAD). None selects all."""

    only: str | None = None
    at: str | None = None
    thread: str | None = None


def select(cube: Cube, selection: Selection) -> Cube:
    """Return the selected part of a cube. Raise SelectionError if a name matches nothing."""
    metrics = paths = threads = None
    if selection.only is not None:
        only = selection.only.casefold()
        titles = [tree_title(cube.metric_path(row)) for row in range(len(cube.metrics))]
        short_names = [metric.name for metric in cube.metrics]
        metrics = [
            row
            for row, named in enumerate(zip(short_names, titles, strict=True))
            if only in map(str.casefold, named)
        ]
        _check(metrics, f"--only {selection.only}", "property", titles)
    if selection.at is not None:
        paths = [n for n, place in enumerate(cube.paths) if _is_at(place, selection.at)]
        places = named_from_common_folder(cube).paths
        named = [f"{place.file}:{place.line}" for place in places if place.file]
        _check(paths, f"--at {selection.at}", "place", named)
    if selection.thread is not None:
        names = [_thread_names(thread.process, thread.thread) for thread in cube.threads]
        threads = [n for n, forms in enumerate(names) if selection.thread in forms]
        _check(threads, f"--thread {selection.thread}", "thread", [forms[-1] for forms in names])
    return cut(cube, metrics, paths, threads)


def _thread_names(process: int, thread: int) -> tuple[str, ...]:
    full = f"{process}.{thread}"
    return (full, str(thread)) if process == 0 else (full,)


def _is_at(place: Place, position: str) -> bool:
    """Return True if a call path is at the named place. A file may be named by the last parts of
    its path."""
    file, _, line = position.rpartition(":")
    if not (file and line.isdecimal()):
        file, line = position, ""
    is_file = place.file == file or place.file.endswith("/" + file)
    return (is_file and line in ("", str(place.line))) or (place.name == position != "")


_SHOWN = 8


def _check(rows: list[int], option: str, value: str, choices: list[str]) -> None:
    if not rows:
        known = list(dict.fromkeys(choices))
        ellipsis = ", ..." if len(known) > _SHOWN else ""
        names = ", ".join(known[:_SHOWN]) + ellipsis if known else "none"
        raise SelectionError(f"{option}: there is no such {value} here: {names}")
