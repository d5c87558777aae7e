"""Which experiment directory is meant."""

from __future__ import annotations

from pathlib import Path

from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.experiment.layout import FILE_NAME

RANK = "rank-"


def find(path: str | None) -> str:
    """The directory given, or the newest `pomp-*` experiment of the current directory.

    Raises ExperimentError when none is given and there is none here.
    """
    if path is not None:
        return path
    here = [
        (file, depth)
        for depth, pattern in enumerate((f"pomp-*/{FILE_NAME}", f"pomp-*/{RANK}*/{FILE_NAME}"))
        for file in Path().glob(pattern)
        if file.is_file()
    ]
    if not here:
        raise ExperimentError(
            "there is no experiment here (no pomp-*/ with a profile in it): run an instrumented "
            "program first, or name its experiment directory"
        )
    file, depth = max(here, key=lambda each: _started(each[0]))
    return str(file.parents[depth])


def processes(directory: str) -> list[str]:
    """The directories of the processes of a job, by rank; none where it is a lone process's."""
    ranked = {
        int(each.name.removeprefix(RANK)): str(each)
        for each in Path(directory).glob(f"{RANK}*")
        if each.name.removeprefix(RANK).isdecimal() and (each / FILE_NAME).is_file()
    }
    return [ranked[rank] for rank in sorted(ranked)]


def rank_of(directory: str) -> int | None:
    """Of the directory of a job's process."""
    rank = Path(directory).name.removeprefix(RANK)
    return int(rank) if rank.isdecimal() else None


def _started(file: Path) -> tuple[int, str]:
    """Order of age; the name settles what was made in the same instant."""
    try:
        return file.stat().st_mtime_ns, file.parent.name
    except OSError:
        return 0, file.parent.name
