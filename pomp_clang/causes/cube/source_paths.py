"""The files of a cube's call paths, named relative to the folder of their sources."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pomp_clang.causes.cube.cube import Cube
from pomp_clang.causes.timeline.places import Place
from pomp_clang.experiment.sources import below, folder_of


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
