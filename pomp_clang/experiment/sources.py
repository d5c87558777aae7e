"""Where the sources of a program are: said once, so that every place can be short."""

from __future__ import annotations

import os
from collections.abc import Iterable


def folder_of(files: Iterable[str]) -> str:
    """The folder below which all of them with an absolute name stand; "" if there is none."""
    absolute = {each for each in files if os.path.isabs(each)}
    folder = os.path.commonpath([os.path.dirname(each) for each in absolute]) if absolute else ""
    return folder if folder.count(os.sep) > 1 else ""


def below(folder: str, file: str) -> str:
    """Named from there where it stands there."""
    return file.removeprefix(folder + os.sep) if folder else file
