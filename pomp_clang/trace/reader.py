"""An experiment directory -> `Trace`: what its files say of each other is checked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.experiment.layout import STATE_ENDED
from pomp_clang.experiment.reader import end_of
from pomp_clang.experiment.records import RawLocation, Records, load
from pomp_clang.experiment.threads import report_order
from pomp_clang.otf2.anchor import anchor_of
from pomp_clang.trace.blocks import Block, Head, damaged, read_blocks
from pomp_clang.trace.decode import BlockPiece, RefusedError, counts, decode, known_paths
from pomp_clang.trace.files import folder_of, is_recorded
from pomp_clang.trace.layout import FILE_GLOB, FILE_NAME
from pomp_clang.trace.model import Stream, Trace
from pomp_clang.trace.parts import Parts, whole


def read(directory: str) -> Trace:
    """The trace of an experiment directory, or an OTF2 archive; streams are read when they are
    asked for.

    Raises ExperimentError (one line, with the file's name) when there is none or it cannot be
    read; so does the reading of the streams.
    """
    if archive := anchor_of(directory):
        from pomp_clang.otf2.reader import read as read_archive

        return read_archive(archive)
    records = load(directory)
    folder = folder_of(directory)
    files = _in_report_order(folder, records)
    if not files:
        raise ExperimentError(f"{directory}: {_missing(records)}")
    return Trace(directory, records, end_of(records), _Files(files, records))


_KILLED = {
    "mapped": "the program was killed before its first event, so the trace is empty: let it run on "
    "to its first instrumented construct",
    "at end": "the program was killed with its trace in memory: run it without POMP_TRACE_AT_END",
}
"""By how the process recorded events, which its profile has a text of."""


def _missing(records: Records) -> str:
    """Say why an experiment has no trace, and what to do."""
    recorded = records.texts.get("trace", "")
    if recorded in _KILLED and records.header.state == STATE_ENDED:
        return "the program recorded no event: no instrumented construct was executed in it"
    return _KILLED.get(recorded, "there is no trace here: run the program with POMP_TRACE=1")


def _in_report_order(folder: Path, records: Records) -> tuple[Path, ...]:
    """Those of locations that are not in the profile come last."""
    places = sorted(records.locations.values(), key=report_order)
    ranks = {FILE_NAME.format(each.id): rank for rank, each in enumerate(places)}
    begin, end = FILE_GLOB.split("*")
    names: list[str] = []
    with suppress(OSError):
        names = [each for each in os.listdir(folder) if each.startswith(begin)]
    names = [name for name in names if name.endswith(end)]
    names.sort(key=lambda name: (ranks.get(name, len(ranks)), name))
    return tuple(folder / name for name in names)


def has_trace(directory: str) -> bool:
    """Whether `read` finds one, of an experiment or an OTF2 archive."""
    return bool(anchor_of(directory)) or is_recorded(directory)


@dataclass(frozen=True, slots=True)
class _Recorded:
    """A location's blocks, whose words have not been looked at; `largest` is the last call path
    that these may name."""

    file: Path
    location: RawLocation
    blocks: list[Block]
    is_path: npt.NDArray[np.uint8]
    largest: int

    def stream(self) -> Stream:
        location = self.location
        try:
            whole = decode(self.blocks, self.is_path)
        except RefusedError as what:
            raise damaged(self.file, f"is damaged ({what})") from None
        return Stream(
            location.id, whole.time, whole.op, whole.path, whole.value_row, whole.values,
            location.unrecorded, location.unrecorded_since,
        )  # fmt: skip

    def parts(self) -> Parts:
        pieces = (BlockPiece(self.file, block, self.is_path) for block in self.blocks)
        return Parts(self.location.id, counts(self.blocks), self.largest, pieces)


@dataclass(frozen=True, slots=True)
class _Files:
    files: tuple[Path, ...]
    records: Records

    def __iter__(self) -> Iterator[Stream]:
        for recorded in self._recorded():
            yield recorded.stream()
        for location in self._without_file():
            yield _of_nothing(location)

    def parts(self) -> Iterator[Parts]:
        for recorded in self._recorded():
            yield recorded.parts()
        for location in self._without_file():
            yield whole(_of_nothing(location))

    def _recorded(self) -> Iterator[_Recorded]:
        is_path = known_paths(self.records.paths)
        largest = max(number for number in (0, *self.records.paths) if number < len(is_path))
        seen: set[int] = set()
        for file in self.files:
            found = read_blocks(file, self.records.header.state == STATE_ENDED)
            if not found:
                continue
            head, blocks = found
            _check_run(file, head, self.records)
            if head.location in seen:
                raise damaged(file, f"is damaged (location {head.location} is there twice)")
            seen.add(head.location)
            yield _Recorded(file, self.records.locations[head.location], blocks, is_path, largest)

    def _without_file(self) -> Iterator[RawLocation]:
        """Those of which nothing was recorded, but should have been."""
        have = {file.name for file in self.files}
        for each in self.records.locations.values():
            if each.unrecorded and FILE_NAME.format(each.id) not in have:
                yield each


def _of_nothing(location: RawLocation) -> Stream:
    none = np.zeros(0, np.int64)
    ops, paths = none.astype(np.uint8), none.astype(np.uint16)
    lost, since = location.unrecorded, location.unrecorded_since
    return Stream(location.id, none, ops, paths, none, none, lost, since)


def _check_run(file: Path, head: Head, records: Records) -> None:
    header = records.header
    if head.location not in records.locations:
        raise damaged(file, f"is damaged (location {head.location} is not in the profile)")
    if (head.pid, head.start) != (header.pid, header.start):
        raise damaged(file, "is of another run than the profile beside it")
