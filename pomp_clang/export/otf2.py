"""A trace as an OTF2 archive: the folder has the anchor file traces.otf2."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pomp_clang.otf2 import archive
from pomp_clang.trace.reader import read

ANCHOR = "traces.otf2"


def write(directory: str, output: Path, told: Callable[[float], None]) -> str:
    trace = read(directory)
    output.mkdir()
    events = archive.write(trace, output / ANCHOR, told)
    return f"{events} event{'s' * (events != 1)}"
