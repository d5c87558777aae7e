"""Where a cube's sources are: said once, so that every place can be short."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace

from pomp_clang.causes.cube import Cube
from pomp_clang.causes.places import Place


def common_folder(cube: Cube) -> str:
    """Below which all files with an absolute name stand; "" if there is none."""
    files = {each.file for each in cube.paths if os.path.isabs(each.file)}
    folder = os.path.commonpath([os.path.dirname(each) for each in files]) if files else ""
    return folder if folder.count(os.sep) > 1 else ""


def named_from(cube: Cube, folder: str) -> Cube:
    """The same with the files below `folder` named from there."""
    if not folder:
        return cube
    beginning = folder + os.sep
    return renamed(cube, lambda each: replace(each, file=each.file.removeprefix(beginning)))


def named_from_common_folder(cube: Cube) -> Cube:
    """So that two checkouts are alike."""
    return named_from(cube, common_folder(cube))


def renamed(cube: Cube, name: Callable[[Place], Place]) -> Cube:
    """With other places; those that become one are one when cubes are aligned."""
    return replace(cube, paths=tuple(name(each) for each in cube.paths))
