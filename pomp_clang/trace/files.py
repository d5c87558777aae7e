"""Location of an experiment's trace, found without reading the trace."""

from __future__ import annotations

from pathlib import Path

from pomp_clang.trace.layout import FILE_GLOB


def folder_of(experiment: str) -> Path:
    """Return the directory of an experiment, which may be named by its profile's file."""
    path = Path(experiment)
    return path if path.is_dir() else path.parent


def is_recorded(experiment: str) -> bool:
    """Return True if the experiment has a trace of pomp-clang."""
    return any(folder_of(experiment).glob(FILE_GLOB))


def recorded_bytes(directory: str) -> int:
    """Return the size of the trace files of an experiment; 0 for a trace of another tool."""
    return sum(file.stat().st_size for file in folder_of(directory).glob(FILE_GLOB))
