"""Errors in an archive, in one line."""

from __future__ import annotations

from pathlib import Path

from pomp_clang.experiment.errors import ExperimentError


def damaged(file: Path, problem: str) -> ExperimentError:
    """Return the error for a file with wrong content; `problem` names the error."""
    return ExperimentError(f"{file}: {problem}: write the archive again")


def bytes_of(file: Path) -> bytes:
    """Read a file. Raises ExperimentError."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        raise damaged(file, "is missing from the archive") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ExperimentError(f"{file}: cannot be read: {reason}") from None
