"""An archive of several processes, or of MPI -> the trace of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pomp_clang.otf2.anchor import anchor_of

if TYPE_CHECKING:
    from pomp_clang.otf2.numbering import Numbering, Part
    from pomp_clang.otf2.reader import Archive
    from pomp_clang.trace.model import Trace


@dataclass(frozen=True, slots=True, eq=False)
class Processes:
    archive: Archive
    parts: tuple[Part, ...]
    numbering: Numbering

    def trace(self, place: int) -> Trace:
        """Raises ExperimentError."""
        from pomp_clang.otf2.reader import read_process

        return read_process(self.archive, self.parts[place], self.numbering)


def processes_of(place: str) -> Processes | None:
    """None where it is no archive, or one of a process without MPI.

    Raises ExperimentError where its definitions cannot be read.
    """
    anchor = anchor_of(place)
    if anchor is None:
        return None
    from pomp_clang.otf2.numbering import Numbering, function_of, parts_of
    from pomp_clang.otf2.reader import Archive

    archive = Archive.of(anchor)
    parts = parts_of(archive.definitions)
    regions = archive.definitions.regions.values()
    if len(parts) < 2 and not any(function_of(each) for each in regions):
        return None
    return Processes(archive, tuple(parts), Numbering(archive.definitions, parts))
