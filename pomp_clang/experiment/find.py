"""Which experiment directory is meant."""

from __future__ import annotations

from pathlib import Path

from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.experiment.layout import FILE_NAME


def find(path: str | None) -> str:
    """The directory given, or the newest `pomp-*` experiment of the current directory.

    Raises ExperimentError when none is given and there is none here.
    """
    if path is not None:
        return path
    here = [file for file in Path().glob(f"pomp-*/{FILE_NAME}") if file.is_file()]
    if not here:
        raise ExperimentError(
            "there is no experiment here (no pomp-*/ with a profile in it): run an instrumented "
            "program first, or name its experiment directory"
        )
    return str(max(here, key=_started).parent)


def _started(file: Path) -> tuple[int, str]:
    """Order of age; the name settles what was made in the same instant."""
    try:
        return file.stat().st_mtime_ns, file.parent.name
    except OSError:
        return 0, file.parent.name
