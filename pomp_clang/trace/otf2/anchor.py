"""Location of an OTF2 archive, found without reading the archive."""

from __future__ import annotations

from pathlib import Path

SUFFIX = ".otf2"
ANCHOR = "traces.otf2"


def anchor_of(place: str) -> Path | None:
    """Return the anchor file that a path names, or the one in a folder; None for anything else."""
    path = Path(place)
    if path.suffix == SUFFIX and not path.is_dir():
        return path
    return path / ANCHOR if (path / ANCHOR).is_file() else None
