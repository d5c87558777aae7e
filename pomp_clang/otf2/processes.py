"""An archive of several processes, or of MPI -> the trace of each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pomp_clang.otf2.numbering import Numbering, Part, function_of, parts_of
from pomp_clang.otf2.reader import Archive, anchor_of, read_process
from pomp_clang.trace.model import Trace


@dataclass(frozen=True, slots=True, eq=False)
class Processes:
    archive: Archive
    parts: tuple[Part, ...]
    numbering: Numbering

    def trace(self, place: int) -> Trace:
        """Raises ExperimentError."""
        return read_process(self.archive, self.parts[place], self.numbering)


def processes_of(place: str) -> Processes | None:
    """None where it is no archive, or one of a process without MPI.

    Raises ExperimentError where its definitions cannot be read.
    """
    anchor: Path | None = anchor_of(place)
    if anchor is None:
        return None
    archive = Archive.of(anchor)
    parts = parts_of(archive.definitions)
    regions = archive.definitions.regions.values()
    if len(parts) < 2 and not any(function_of(each) for each in regions):
        return None
    return Processes(archive, tuple(parts), Numbering(archive.definitions, parts))
