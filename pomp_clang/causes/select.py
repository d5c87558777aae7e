"""Which part of a cube is meant, as a person names it."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.causes.algebra import cut
from pomp_clang.causes.cube import Cube
from pomp_clang.causes.places import Place
from pomp_clang.causes.sources import named_from_common_folder


class SelectionError(Exception):
    """What was named is not there: one line."""


@dataclass(frozen=True, slots=True)
class Selection:
    """`only` is a property's name, `at` a place (FILE:LINE, FILE or a name), `thread` a thread's
    number, or those of its process and of itself with a dot between; None is all."""

    only: str | None = None
    at: str | None = None
    thread: str | None = None


def select(cube: Cube, what: Selection) -> Cube:
    """Raises SelectionError where there is no such thing in the cube."""
    metrics = paths = threads = None
    if what.only is not None:
        wanted = what.only.casefold()
        metrics = [n for n, each in enumerate(cube.metrics) if each.name.casefold() == wanted]
        _check(metrics, f"--only {what.only}", "property", [each.name for each in cube.metrics])
    if what.at is not None:
        paths = [n for n, each in enumerate(cube.paths) if _is_at(each, what.at)]
        shown = named_from_common_folder(cube).paths
        named = [f"{each.file}:{each.line}" for each in shown if each.file]
        _check(paths, f"--at {what.at}", "place", named)
    if what.thread is not None:
        names = [_names(each.process, each.thread) for each in cube.threads]
        threads = [n for n, each in enumerate(names) if what.thread in each]
        _check(threads, f"--thread {what.thread}", "thread", [each[-1] for each in names])
    return cut(cube, metrics, paths, threads)


def _names(process: int, thread: int) -> tuple[str, ...]:
    full = f"{process}.{thread}"
    return (full, str(thread)) if process == 0 else (full,)


def _is_at(place: Place, wanted: str) -> bool:
    """A file may be named by its last parts."""
    file, _, line = wanted.rpartition(":")
    if not (file and line.isdecimal()):
        file, line = wanted, ""
    is_file = place.file == file or place.file.endswith("/" + file)
    return (is_file and line in ("", str(place.line))) or (place.name == wanted != "")


_SHOWN = 8


def _check(found: list[int], option: str, what: str, there: list[str]) -> None:
    if not found:
        known = list(dict.fromkeys(there))
        more = ", ..." if len(known) > _SHOWN else ""
        said = ", ".join(known[:_SHOWN]) + more if known else "none"
        raise SelectionError(f"{option}: there is no such {what} here: {said}")
