"""An experiment directory -> `Trace`: what its files say of each other is checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.experiment.reader import end_of
from pomp_clang.experiment.records import RawLocation, Records, load
from pomp_clang.otf2.reader import anchor_of
from pomp_clang.otf2.reader import read as read_archive
from pomp_clang.trace.blocks import Head, Words, damaged, read_words
from pomp_clang.trace.layout import FILE_GLOB, PATH_SHIFT, VALUES, Op, known
from pomp_clang.trace.model import Ints, Stream, Trace

_KNOWN = np.zeros(256, np.bool_)
_KNOWN[known()] = True

_FEWEST = np.zeros(256, np.int64)
_FEWEST[list(VALUES)] = list(VALUES.values())


def read(directory: str) -> Trace:
    """The trace of an experiment directory, or an OTF2 archive; streams are read when they are
    asked for.

    Raises ExperimentError (one line, with the file's name) when there is none or it cannot be
    read; so does the reading of the streams.
    """
    if archive := anchor_of(directory):
        return read_archive(archive)
    records = load(directory)
    folder = Path(directory) if Path(directory).is_dir() else Path(directory).parent
    files = sorted(folder.glob(FILE_GLOB))
    if not files:
        raise ExperimentError(
            f"{directory}: there is no trace here: run the program with POMP_TRACE=1"
        )
    return Trace(directory, records, end_of(records), _Files(tuple(files), records))


@dataclass(frozen=True, slots=True)
class _Files:
    files: tuple[Path, ...]
    records: Records

    def __iter__(self) -> Iterator[Stream]:
        seen: set[int] = set()
        for file in self.files:
            stream = _stream(file, self.records)
            if stream.location in seen:
                raise damaged(file, f"is damaged (location {stream.location} is there twice)")
            seen.add(stream.location)
            yield stream
        for location in self.records.locations.values():
            if location.unrecorded and location.id not in seen:
                yield _of_nothing(location)


def _of_nothing(location: RawLocation) -> Stream:
    none = np.zeros(0, np.int64)
    ops, paths = none.astype(np.uint8), none.astype(np.uint16)
    lost, since = location.unrecorded, location.unrecorded_since
    return Stream(location.id, none, ops, paths, none, none, lost, since)


def _stream(file: Path, records: Records) -> Stream:
    head, words, time = read_words(file)
    _check_run(file, head, records)
    low = words.astype(np.uint8)
    is_value = low == Op.VALUE
    value_row, values = _values(file, words, is_value)
    if len(values):
        events = ~is_value
        words, time, low = words[events], time[events], low[events]
    path = (words >> np.uint64(PATH_SHIFT)).astype(np.uint16)
    if len(low) and not _KNOWN[low].all():
        raise damaged(file, f"is damaged (event {int(low[~_KNOWN[low]][0])})")
    _check_paths(file, path, records)
    location = records.locations[head.location]
    stream = Stream(
        head.location, time, low, path, value_row, values,
        location.unrecorded, location.unrecorded_since,
    )  # fmt: skip
    return _checked(file, stream)


def _check_run(file: Path, head: Head, records: Records) -> None:
    header = records.header
    if head.location not in records.locations:
        raise damaged(file, f"is damaged (location {head.location} is not in the profile)")
    if (head.pid, head.start) != (header.pid, header.start):
        raise damaged(file, "is of another run than the profile beside it")


def _values(file: Path, words: Words, is_value: np.typing.NDArray[np.bool_]) -> tuple[Ints, Ints]:
    at = np.flatnonzero(is_value)
    values = (words[at] >> np.uint64(8)).astype(np.int64)
    row = at - np.arange(1, len(at) + 1)
    if len(row) and row[0] < 0:
        raise damaged(file, "is damaged (a value comes first)")
    return row, values


def _check_paths(file: Path, path: np.typing.NDArray[np.uint16], records: Records) -> None:
    there = np.zeros(1 << 16, np.bool_)
    there[[0, *(number for number in records.paths if number < 1 << 16)]] = True
    if len(path) and not there[path].all():
        raise damaged(file, f"is damaged (call path {int(path[~there[path]][0])})")


def _checked(file: Path, stream: Stream) -> Stream:
    """Values are stored before their event is: none is without those that it must have."""
    need = _FEWEST[stream.op]
    rows = np.flatnonzero(need)
    _, has = stream.values_of(rows)
    if not has.all():
        raise damaged(file, f"is damaged (event {int(rows[~has][0])} has no value)")
    return stream
