"""Where the trace of an experiment is: known without reading any of it."""

from __future__ import annotations

from pathlib import Path

from pomp_clang.trace.layout import FILE_GLOB


def folder_of(experiment: str) -> Path:
    """Of an experiment's directory, or of its profile's file."""
    path = Path(experiment)
    return path if path.is_dir() else path.parent


def is_recorded(experiment: str) -> bool:
    """Whether it has a trace of ours."""
    return any(folder_of(experiment).glob(FILE_GLOB))
