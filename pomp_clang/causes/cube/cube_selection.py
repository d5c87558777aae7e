"""The part of a cube that a user names on the command line."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.analysis.property_titles import tree_title
from pomp_clang.causes.cube.algebra import cut
from pomp_clang.causes.cube.cube import Cube
from pomp_clang.causes.cube.source_paths import named_from_common_folder
from pomp_clang.causes.timeline.places import Place


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
