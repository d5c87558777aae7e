"""The common folder of a program's sources, so that places can be short."""

from __future__ import annotations

import os
from collections.abc import Iterable


def folder_of(files: Iterable[str]) -> str:
    """Return the folder that all files with an absolute name stand below, "" if there is none."""
    absolute = {file for file in files if os.path.isabs(file)}
    folder = os.path.commonpath([os.path.dirname(path) for path in absolute]) if absolute else ""
    return folder if folder.count(os.sep) > 1 else ""


def below(folder: str, file: str) -> str:
    """Return a file's name relative to the folder, if it stands below it."""
    return file.removeprefix(folder + os.sep) if folder else file
