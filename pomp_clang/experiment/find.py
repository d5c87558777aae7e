"""Finding of experiment directories and of a job's processes."""

from __future__ import annotations

from pathlib import Path

from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.layout import FILE_NAME

RANK = "rank-"


def find(path: str | None) -> str:
    """Return the given directory, or the newest `pomp-*` experiment of the current directory.

    Raises ExperimentError if none is given and there is none here.
    """
    if path is not None:
        return path
    directories = [
        (file, depth)
        for depth, pattern in enumerate((f"pomp-*/{FILE_NAME}", f"pomp-*/{RANK}*/{FILE_NAME}"))
        for file in Path().glob(pattern)
        if file.is_file()
    ]
    if not directories:
        raise ExperimentError(
            "there is no experiment here (no pomp-*/ with a profile in it): run an instrumented "
            "program first, or name its experiment directory"
        )
    file, depth = max(directories, key=lambda directory: _started(directory[0]))
    return str(file.parents[depth])


def processes(directory: str) -> list[str]:
    """List the directories of a job's processes, by rank; the list is empty for a lone process."""
    ranked = {
        int(folder.name.removeprefix(RANK)): str(folder)
        for folder in Path(directory).glob(f"{RANK}*")
        if folder.name.removeprefix(RANK).isdecimal() and (folder / FILE_NAME).is_file()
    }
    return [ranked[rank] for rank in sorted(ranked)]


def rank_of(directory: str) -> int | None:
    """Return the rank that a process's directory is named by."""
    rank = Path(directory).name.removeprefix(RANK)
    return int(rank) if rank.isdecimal() else None


def _started(file: Path) -> tuple[int, str]:
    """Return a key that sorts by age; the name decides between files of one instant."""
    try:
        return file.stat().st_mtime_ns, file.parent.name
    except OSError:
        return 0, file.parent.name
