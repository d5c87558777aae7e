"""Location of an OTF2 archive, found without reading the archive, and the processes of one that has several
of them, or MPI."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pomp_clang.shared_dataclass import dataclass

if TYPE_CHECKING:
    from pomp_clang.trace.model import Trace
    from pomp_clang.trace.otf2.numbering import ArchivedProcess, Numbering
    from pomp_clang.trace.otf2.reader import Archive

SUFFIX = ".otf2"
ANCHOR = "traces.otf2"


def anchor_of(place: str) -> Path | None:
    """Return the anchor file that a path names, or the one in a folder; None for anything else."""
    path = Path(place)
    if path.suffix == SUFFIX and not path.is_dir():
        return path
    return path / ANCHOR if (path / ANCHOR).is_file() else None


@dataclass(frozen=True, slots=True, eq=False)
class ArchivedProcesses:
    """An archive with its processes, by rank, and their numbering."""

    archive: Archive
    parts: tuple[ArchivedProcess, ...]
    numbering: Numbering

    def trace(self, place: int) -> Trace:
        """Read the trace of a process. Raises ExperimentError."""
        from pomp_clang.trace.otf2.reader import read_process

        return read_process(self.archive, self.parts[place], self.numbering)


def processes_of(place: str) -> ArchivedProcesses | None:
    """Return the processes of an archive; None for other paths and for one process without MPI.

    Raises ExperimentError if its definitions cannot be read.
    """
    anchor = anchor_of(place)
    if anchor is None:
        return None
    from pomp_clang.trace.otf2.numbering import Numbering, function_of, processes_in
    from pomp_clang.trace.otf2.reader import Archive

    archive = Archive.of(anchor)
    parts = processes_in(archive.definitions)
    regions = archive.definitions.regions.values()
    if len(parts) < 2 and not any(function_of(region) for region in regions):
        return None
    return ArchivedProcesses(archive, tuple(parts), Numbering(archive.definitions, parts))
