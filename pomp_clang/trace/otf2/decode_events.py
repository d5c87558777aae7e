"""Reading of an archive's files, checked: the fields of definition records one after the other, and
a location's event file as columns.

An error in an archive is one line.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment import ExperimentError
from pomp_clang.otf2.events import Events, Ints
from pomp_clang.otf2.layout import (
    BIG,
    CHUNK_HEAD_SIZE,
    FIELDS,
    IN_A_BYTE,
    LITTLE,
    MOST_FIELDS,
    MPI_FIELDS,
    OF_MODEL,
    UNDEFINED_BYTE,
    WITHOUT_LENGTH,
    Event,
    Record,
)
from pomp_clang.trace.kernel import load, members, point


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


ORDERS = {LITTLE: "<", BIG: ">"}


class RecordFields:
    """A cursor in the bytes of a file, which refuses to read past their end."""

    def __init__(self, file: Path, data: bytes, order: str, at: int = 0) -> None:
        self.file = file
        self.data = data
        self.order = order
        self.at = at
        self.end = len(data)

    def fail(self) -> Exception:
        return damaged(self.file, f"is damaged or cut off (at byte {self.at})")

    def take(self, size: int) -> bytes:
        if self.at + size > self.end:
            raise self.fail()
        self.at += size
        return self.data[self.at - size : self.at]

    def byte(self) -> int:
        return self.take(1)[0]

    def full(self, layout: str) -> int:
        value = struct.unpack(self.order + layout, self.take(struct.calcsize("=" + layout)))[0]
        assert isinstance(value, int)
        return value

    def real(self) -> float:
        return float(struct.unpack(self.order + "d", self.take(8))[0])

    def integer(self) -> int:
        """Read an integer; -1 means that it is undefined."""
        size = self.byte()
        if size == UNDEFINED_BYTE:
            return -1
        if size > 8:
            raise self.fail()
        return int.from_bytes(self.take(size), "little" if self.order == "<" else "big")

    def signed(self) -> int:
        value = self.integer()
        return value - (1 << 64) if value >= 1 << 63 else value

    def text(self) -> str:
        end = self.data.find(b"\0", self.at, self.end)
        if end < 0:
            raise self.fail()
        raw = self.take(end - self.at)
        self.at += 1
        return raw.decode("utf-8", "replace")

    def skip_length(self) -> int:
        """Read the number of bytes that follow."""
        size = self.byte()
        return self.full("Q") if size == UNDEFINED_BYTE else size


def records(file: Path) -> Iterator[tuple[int, RecordFields]]:
    """Yield the type of each record of a definitions file, and its fields. Raises ExperimentError."""
    data = bytes_of(file)
    if len(data) < CHUNK_HEAD_SIZE or data[0] != Record.CHUNK_HEADER or data[1] not in ORDERS:
        raise damaged(file, "has no head of OTF2's" if data else "is empty")
    order = ORDERS[data[1]]
    at = CHUNK_HEAD_SIZE
    while True:
        cursor = RecordFields(file, data, order, at)
        kind = cursor.byte()
        if kind in (Record.END_OF_FILE, Record.END_OF_BUFFER, Record.END_OF_CHUNK):
            return
        size = cursor.skip_length()
        at = cursor.at + size
        if at > len(data):
            raise cursor.fail()
        cursor.end = at
        yield kind, cursor


_FIELDS = np.zeros(256, np.uint8)
_FIELDS[list(FIELDS)] = list(FIELDS.values())
_FIELDS[Event.METRIC] = 0
_FIELDS[list(MPI_FIELDS)] = list(MPI_FIELDS.values())
_BYTE = np.full(256, MOST_FIELDS, np.uint8)
_BYTE[list(IN_A_BYTE)] = list(IN_A_BYTE.values())
_HAS_MODEL = np.zeros(256, np.uint8)
_HAS_MODEL[list(OF_MODEL)] = 1
_IS_PLAIN = np.zeros(256, np.uint8)
_IS_PLAIN[list(WITHOUT_LENGTH)] = 1

_SMALLEST_EVENT = 2
"""Bytes."""

_REFUSALS = (
    "",
    "is damaged (a record that is not known at byte {at})",
    "is cut off (the chunk at byte {chunk} has no end)",
    "is damaged (no time in the chunk at byte {chunk})",
    "is damaged (an event of the chunk at byte {chunk})",
)
"""Messages by enum pomp_unpack_error."""


_COLUMNS = ("first", "second", "third", "fourth", "fifth", "sixth")
_OFTEN = 3
"""The number of fields of most events; the columns of further fields stay mostly untouched memory."""


class _Unpacking(ctypes.Structure):
    _fields_ = members(
        "fields", "has_model", "byte", "is_plain", "ROOM", "EVENTS", "time", "type", *_COLUMNS,
        "WRONG",
    )  # fmt: skip


def read_events(file: Path, chunk: int) -> Events:
    """Read the events that `layout.FIELDS` and `MPI_FIELDS` list, without their paradigm.

    Metrics, which may have many members, and all other events are skipped. Raises ExperimentError.
    """
    data = bytes_of(file)
    if not data:
        raise damaged(file, "is empty")
    room = len(data) // _SMALLEST_EVENT
    columns: dict[str, npt.NDArray[Any]] = {
        "fields": _FIELDS, "has_model": _HAS_MODEL, "byte": _BYTE, "is_plain": _IS_PLAIN,
        "time": np.empty(room, np.int64), "type": np.empty(room, np.uint8),
        **{name: np.empty(room, np.int64) for name in _COLUMNS[:_OFTEN]},
        **{name: np.zeros(room, np.int64) for name in _COLUMNS[_OFTEN:]},
    }  # fmt: skip
    unpacking = _Unpacking(room=room)
    for name, column in columns.items():
        point(unpacking, name, column)
    function = load().pomp_unpack
    function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64]
    octets = np.frombuffer(data, np.uint8)
    for begin in range(0, len(data), chunk):
        end = min(begin + chunk, len(data))
        _check_head(file, data, begin, end)
        error = function(ctypes.byref(unpacking), octets.ctypes.data + begin, end - begin)
        if error:
            refusal = _REFUSALS[error].format(at=begin + unpacking.wrong, chunk=begin)
            raise damaged(file, refusal)
    time, type_, *fields = (
        columns[name][: unpacking.events] for name in ("time", "type", *_COLUMNS)
    )
    return Events(time, type_, tuple(fields))


def _check_head(file: Path, data: bytes, begin: int, end: int) -> None:
    if end - begin < CHUNK_HEAD_SIZE or data[begin] != Record.CHUNK_HEADER:
        raise damaged(file, f"is damaged or cut off (chunk at byte {begin})")
    if data[begin + 1] not in ORDERS:
        raise damaged(file, f"is damaged (byte order at byte {begin})")


def corrected(time: Ints, offsets: list[tuple[int, int]]) -> Ints:
    """Return times corrected by the offsets of the location's clock, linearly between two of them."""
    if not offsets:
        return time
    known, offset = np.array(sorted(offsets), np.int64).T
    shift: npt.NDArray[np.float64] = np.interp(
        time - known[0], known - known[0], offset - offset[0]
    )
    result: Ints = time + offset[0] + np.rint(shift).astype(np.int64)
    return result
