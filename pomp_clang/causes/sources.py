"""A cube's places, named from the folder of their sources."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pomp_clang.causes.cube import Cube
from pomp_clang.causes.places import Place
from pomp_clang.experiment.sources import below, folder_of


def common_folder(cube: Cube) -> str:
    """Below which all files with an absolute name stand; "" if there is none."""
    return folder_of(each.file for each in cube.paths)


def named_from(cube: Cube, folder: str) -> Cube:
    """The same with the files below `folder` named from there."""
    if not folder:
        return cube
    return renamed(cube, lambda each: replace(each, file=below(folder, each.file)))


def named_from_common_folder(cube: Cube) -> Cube:
    """So that two checkouts are alike."""
    return named_from(cube, common_folder(cube))


def renamed(cube: Cube, name: Callable[[Place], Place]) -> Cube:
    """With other places; those that become one are one when cubes are aligned."""
    return replace(cube, paths=tuple(name(each) for each in cube.paths))
