"""Runs: the experiments in a workspace, wherever below it a program ran."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pomp_clang.experiment.find import RANK, processes
from pomp_clang.experiment.layout import FILE_NAME, HEADER, MAGIC, STATE_ENDED

_NOT_ENTERED = frozenset(("node_modules", "__pycache__", "CMakeFiles"))
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Stamp:
    """An experiment whose run is over, with time and size, which tell of changes."""

    directory: str
    changed: int
    size: int


def by_age(folders: Iterable[str]) -> Iterator[Stamp]:
    """Yield the experiments whose run is over, the one that was written last first."""
    stamps = [stamp for folder in folders for stamp in _experiments(folder, 0)]
    ordered = sorted(stamps, key=lambda stamp: (stamp.changed, stamp.directory), reverse=True)
    return (stamp for stamp in ordered if is_over(stamp.directory))


def _stamp(directory: str, ranks: Sequence[str]) -> Stamp | None:
    """Return the stamp of an experiment, or of a job with these processes; None for any other
    directory.
    """
    try:
        states = [os.stat(os.path.join(rank, FILE_NAME)) for rank in ranks]
    except OSError:
        return None
    size = sum(state.st_size for state in states)
    return Stamp(directory, max(state.st_mtime_ns for state in states), size) if states else None


def is_over(directory: str) -> bool:
    """Return whether all processes of the program have ended, or left their profile behind.

    A running process has the profile mapped in memory, and the file's date does not tell when it
    writes.
    """
    return all(map(_has_ended, processes(directory) or [directory]))


def _has_ended(directory: str) -> bool:
    path = os.path.realpath(os.path.join(directory, FILE_NAME))
    try:
        with open(path, "rb") as file:
            values = struct.unpack(f"={HEADER}", file.read(struct.calcsize(f"={HEADER}")))
    except (OSError, struct.error):
        return False
    magic, _, _, _, state, *rest = values
    return magic == MAGIC and (state == STATE_ENDED or not _holds(rest[5], path))


def _holds(pid: int, path: str) -> bool:
    try:
        with open(f"/proc/{pid}/maps", encoding="utf-8", errors="surrogateescape") as file:
            return any(path in line for line in file)
    except OSError:
        return False


def _experiments(folder: str, depth: int) -> Iterator[Stamp]:
    stamp = _stamp(folder, [folder])
    if stamp is not None:
        yield stamp
        return
    if depth == _DEEPEST:
        return
    try:
        inner = [entry.path for entry in os.scandir(folder) if _is_entered(entry)]
    except OSError:
        return
    if any(os.path.basename(path).startswith(RANK) for path in inner):
        stamp = _stamp(folder, processes(folder))
        if stamp is not None:
            yield stamp
            return
    for path in inner:
        yield from _experiments(path, depth + 1)


def _is_entered(entry: os.DirEntry[str]) -> bool:
    hidden = entry.name.startswith(".") or entry.name in _NOT_ENTERED
    return not hidden and entry.is_dir(follow_symlinks=False)
