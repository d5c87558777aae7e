"""Where an OTF2 archive is: known without reading any of it, or what reads it."""

from __future__ import annotations

from pathlib import Path

SUFFIX = ".otf2"
ANCHOR = "traces.otf2"


def anchor_of(place: str) -> Path | None:
    """The anchor file that is meant: itself, or the one in a folder."""
    path = Path(place)
    if path.suffix == SUFFIX and not path.is_dir():
        return path
    return path / ANCHOR if (path / ANCHOR).is_file() else None
