"""An experiment directory -> `Trace`: what its files say of each other is checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.experiment.reader import end_of
from pomp_clang.experiment.records import RawLocation, Records, load
from pomp_clang.experiment.threads import report_order
from pomp_clang.otf2.reader import anchor_of
from pomp_clang.otf2.reader import read as read_archive
from pomp_clang.trace.blocks import Head, damaged, read_blocks
from pomp_clang.trace.decode import decode
from pomp_clang.trace.layout import FILE_GLOB, FILE_NAME
from pomp_clang.trace.model import Stream, Trace


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
    files = _in_report_order(folder, records)
    if not files:
        raise ExperimentError(
            f"{directory}: there is no trace here: run the program with POMP_TRACE=1"
        )
    return Trace(directory, records, end_of(records), _Files(files, records))


def _in_report_order(folder: Path, records: Records) -> tuple[Path, ...]:
    """Those of locations that are not in the profile come last."""
    places = sorted(records.locations.values(), key=report_order)
    ranks = {FILE_NAME.format(each.id): rank for rank, each in enumerate(places)}
    files = folder.glob(FILE_GLOB)
    return tuple(sorted(files, key=lambda file: (ranks.get(file.name, len(ranks)), file.name)))


def has_trace(directory: str) -> bool:
    """Whether `read` finds one, of an experiment or an OTF2 archive."""
    return bool(anchor_of(directory)) or any(_folder_of(directory).glob(FILE_GLOB))


def _folder_of(directory: str) -> Path:
    return Path(directory) if Path(directory).is_dir() else Path(directory).parent


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
    head, blocks = read_blocks(file)
    _check_run(file, head, records)
    columns = decode(blocks, records.paths)
    if isinstance(columns, str):
        raise damaged(file, f"is damaged ({columns})")
    location = records.locations[head.location]
    return Stream(
        head.location, columns.time, columns.op, columns.path, columns.value_row, columns.values,
        location.unrecorded, location.unrecorded_since,
    )  # fmt: skip


def _check_run(file: Path, head: Head, records: Records) -> None:
    header = records.header
    if head.location not in records.locations:
        raise damaged(file, f"is damaged (location {head.location} is not in the profile)")
    if (head.pid, head.start) != (header.pid, header.start):
        raise damaged(file, "is of another run than the profile beside it")
