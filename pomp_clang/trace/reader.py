"""Reading of an experiment directory as a `Trace`; its files are checked against each other."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.layout import STATE_ENDED
from pomp_clang.experiment.open_regions import end_of, report_order
from pomp_clang.experiment.parse import load
from pomp_clang.experiment.records import RawLocation, Records
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace import kernel
from pomp_clang.trace.blocks import BlockHead, TraceBlock, damaged, read_blocks
from pomp_clang.trace.layout import (
    FILE_GLOB,
    FILE_NAME,
    VALUES,
    folder_of,
    is_recorded,
    known_operations,
)
from pomp_clang.trace.model import Stream, Trace
from pomp_clang.trace.otf2.archive import anchor_of
from pomp_clang.trace.replay_buffers import Counts, EventPiece, LocationEvents, in_one_piece


def read(directory: str) -> Trace:
    """Read the trace of an experiment directory, or of an OTF2 archive.

    Streams are read when they are asked for. Raises ExperimentError (one line, with the file's
    name) if there is no trace or it cannot be read; so does the reading of the streams.
    """
    if archive := anchor_of(directory):
        from pomp_clang.trace.otf2.reader import read as read_archive

        return read_archive(archive)
    records = load(directory)
    folder = folder_of(directory)
    files = _in_report_order(folder, records)
    if not files:
        raise ExperimentError(f"{directory}: {_missing(records)}")
    return Trace(directory, records, end_of(records), _TraceFiles(files, records))


_KILLED = {
    "mapped": "the program was killed before its first event, so the trace is empty: let it run on "
    "to its first instrumented construct",
    "at end": "the program was killed with its trace in memory: run it without POMP_TRACE_AT_END",
}
"""Messages by the way of recording events, a text of the profile."""


def _missing(records: Records) -> str:
    """Explain why an experiment has no trace, and what to do."""
    recorded = records.texts.get("trace", "")
    if recorded in _KILLED and records.header.state == STATE_ENDED:
        return "the program recorded no event: no instrumented construct was executed in it"
    return _KILLED.get(recorded, "there is no trace here: run the program with POMP_TRACE=1")


def _in_report_order(folder: Path, records: Records) -> tuple[Path, ...]:
    """Sort trace files as reports list their locations; locations that the profile does not have
    come last."""
    places = sorted(records.locations.values(), key=report_order)
    ranks = {FILE_NAME.format(location.id): rank for rank, location in enumerate(places)}
    begin, end = FILE_GLOB.split("*")
    names: list[str] = []
    with suppress(OSError):
        names = [name for name in os.listdir(folder) if name.startswith(begin)]
    names = [name for name in names if name.endswith(end)]
    names.sort(key=lambda name: (ranks.get(name, len(ranks)), name))
    return tuple(folder / name for name in names)


def has_trace(directory: str) -> bool:
    """Return True if `read` finds a trace, of an experiment or an OTF2 archive."""
    return bool(anchor_of(directory)) or is_recorded(directory)


@dataclass(frozen=True, slots=True)
class _RecordedLocation:
    """A location's blocks, not decoded yet; `largest` is the largest call path that their words may
    name."""

    file: Path
    location: RawLocation
    blocks: list[TraceBlock]
    is_path: npt.NDArray[np.uint8]
    largest: int

    def stream(self) -> Stream:
        location = self.location
        try:
            piece = _decoded(self.blocks, self.is_path)
        except RefusedError as what:
            raise damaged(self.file, f"is damaged ({what})") from None
        return Stream(
            location.id, piece.time, piece.op, piece.path, piece.value_row, piece.values,
            location.unrecorded, location.unrecorded_since,
        )  # fmt: skip

    def location_events(self) -> LocationEvents:
        pieces = (BlockPiece(self.file, block, self.is_path) for block in self.blocks)
        return LocationEvents(self.location.id, counts(self.blocks), self.largest, pieces)


@dataclass(frozen=True, slots=True)
class _TraceFiles:
    files: tuple[Path, ...]
    records: Records

    def __iter__(self) -> Iterator[Stream]:
        for recorded in self._recorded():
            yield recorded.stream()
        for location in self._without_file():
            yield _empty_stream(location)

    def location_events(self) -> Iterator[LocationEvents]:
        for recorded in self._recorded():
            yield recorded.location_events()
        for location in self._without_file():
            yield in_one_piece(_empty_stream(location))

    def _recorded(self) -> Iterator[_RecordedLocation]:
        is_path = _known_paths(self.records.paths)
        largest = max(number for number in (0, *self.records.paths) if number < len(is_path))
        seen: set[int] = set()
        for file in self.files:
            placed = read_blocks(file, self.records.header.state == STATE_ENDED)
            if not placed:
                continue
            head, blocks = placed
            _check_run(file, head, self.records)
            if head.location in seen:
                raise damaged(file, f"is damaged (location {head.location} is there twice)")
            seen.add(head.location)
            yield _RecordedLocation(
                file, self.records.locations[head.location], blocks, is_path, largest
            )

    def _without_file(self) -> Iterator[RawLocation]:
        """Yield locations whose events were all lost, so that there is no file."""
        have = {file.name for file in self.files}
        for location in self.records.locations.values():
            if location.unrecorded and FILE_NAME.format(location.id) not in have:
                yield location


def _empty_stream(location: RawLocation) -> Stream:
    none = np.zeros(0, np.int64)
    ops, paths = none.astype(np.uint8), none.astype(np.uint16)
    lost, since = location.unrecorded, location.unrecorded_since
    return Stream(location.id, none, ops, paths, none, none, lost, since)


def _check_run(file: Path, head: BlockHead, records: Records) -> None:
    header = records.header
    if head.location not in records.locations:
        raise damaged(file, f"is damaged (location {head.location} is not in the profile)")
    if (head.pid, head.start) != (header.pid, header.start):
        raise damaged(file, "is of another run than the profile beside it")


_FEWEST = np.zeros(kernel.OPERATIONS, np.uint8)
_FEWEST[known_operations()] = 1
_FEWEST[list(VALUES)] = [1 + count for count in VALUES.values()]

_REFUSALS = {
    kernel.OP: "event {}",
    kernel.PATH: "call path {}",
    kernel.NO_EVENT: "a value comes first",
    kernel.NO_VALUE: "event {} has no value",
}


class RefusedError(Exception):
    """Words that cannot be decoded; the message says why."""


def _known_paths(paths: Iterable[int]) -> npt.NDArray[np.uint8]:
    """Return for each number below 65536 whether an event may name it as call path."""
    is_path = np.zeros(1 << 16, np.uint8)
    is_path[[0, *(number for number in paths if number < len(is_path))]] = 1
    return is_path


@dataclass(frozen=True, slots=True)
class BlockPiece:
    """A block of a file as a piece of a location's events; its words are checked as they are
    replayed."""

    file: Path
    block: TraceBlock
    is_path: npt.NDArray[np.uint8]

    def through(self, run: kernel.Replaying) -> int:
        """Replay the block's words; return the kernel's error. Raises ExperimentError on damaged
        words."""
        words = self.block.words
        piece = kernel.BlockWords(
            count=len(words), base=self.block.base, swap=not words.dtype.isnative
        )
        kernel.point(piece, "fewest", _FEWEST)
        kernel.point(piece, "is_path", self.is_path)
        kernel.point(piece, "words", words)
        error = kernel.load().pomp_replay_words(ctypes.byref(run), ctypes.byref(piece))
        if problem := _REFUSALS.get(error):
            raise damaged(self.file, f"is damaged ({problem.format(run.wrong)})")
        return int(error)


def _decoded(blocks: Sequence[TraceBlock], is_path: npt.NDArray[np.uint8]) -> EventPiece:
    """Decode all blocks to one piece. Raises RefusedError."""
    room = sum(len(block.words) for block in blocks)
    time, op, path = np.empty(room, np.int64), np.empty(room, np.uint8), np.empty(room, np.uint16)
    value_row, values = np.empty(room, np.int64), np.empty(room, np.int64)
    decoding = kernel.Decoding(room=room, value_room=room)
    for name, column in (
        ("fewest", _FEWEST), ("is_path", is_path), ("time", time), ("op", op), ("path", path),
        ("value_row", value_row), ("value", values),
    ):  # fmt: skip
        kernel.point(decoding, name, column)
    for block in blocks:
        words = block.words
        swap = not words.dtype.isnative
        if error := kernel.load().pomp_decode(
            ctypes.byref(decoding), words.ctypes.data, len(words), block.base, swap
        ):
            raise RefusedError(_REFUSALS[error].format(decoding.wrong))
    events, count = decoding.events, decoding.values
    return EventPiece(time[:events], op[:events], path[:events], value_row[:count], values[:count])


def counts(blocks: Sequence[TraceBlock]) -> Counts:
    """Count each operation in the blocks."""
    counts_ = np.zeros(kernel.OPERATIONS, np.uint64)
    for block in blocks:
        words = block.words
        swap = not words.dtype.isnative
        kernel.load().pomp_decode_count(words.ctypes.data, len(words), swap, counts_.ctypes.data)
    return counts_
