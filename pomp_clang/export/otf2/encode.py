"""Definitions and events as the bytes of their records."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.otf2 import layout
from pomp_clang.otf2.events import Bytes, Events, Ints
from pomp_clang.otf2.layout import (
    CHUNK_HEAD,
    CHUNK_HEAD_SIZE,
    EVENT_CHUNK,
    FIELDS,
    IN_A_BYTE,
    LITTLE,
    MOST_FIELDS,
    MPI_FIELDS,
    OF_MODEL,
    OF_NOTHING,
    UNDEFINED_BYTE,
    WITHOUT_LENGTH,
    Definition,
    Paradigm,
    Record,
)

ENDS = bytes((Record.END_OF_FILE, Record.END_OF_BUFFER))


def chunk_head() -> bytes:
    return struct.pack("<" + layout.CHUNK_HEAD, Record.CHUNK_HEADER, layout.LITTLE, 1, 0)


@dataclass(frozen=True, slots=True)
class TextField:
    """A field of a record that is a string."""

    text: str


@dataclass(frozen=True, slots=True)
class ByteField:
    """A field of a record that is a byte."""

    value: int


def text_of(text: str) -> bytes:
    return text.replace("\0", " ").encode("utf-8", "replace") + b"\0"


def integer_of(value: int) -> bytes:
    """Encode an integer in as few bytes as it needs; a value below 0 is "undefined"."""
    if value < 0:
        return bytes((layout.UNDEFINED_BYTE,))
    size = (value.bit_length() + 7) // 8
    return bytes((size,)) + value.to_bytes(size, "little")


def record(definition: Definition, *fields: int | TextField | ByteField) -> bytes:
    parts = []
    for field in fields:
        match field:
            case TextField(text):
                parts.append(text_of(text))
            case ByteField(value):
                parts.append(bytes((value,)))
            case _:
                parts.append(integer_of(field))
    body = b"".join(parts)
    short = len(body) < layout.UNDEFINED_BYTE
    length = bytes((len(body),)) if short else b"\xff" + struct.pack("<Q", len(body))
    return bytes((definition,)) + length + body


_FIELDS = np.zeros(256, np.uint8)
_HAS_MODEL = np.zeros(256, np.bool_)
_HAS_LENGTH = np.ones(256, np.bool_)
_FIELDS[list(FIELDS)] = list(FIELDS.values())
_FIELDS[list(MPI_FIELDS)] = list(MPI_FIELDS.values())
_HAS_MODEL[list(OF_MODEL)] = True
_HAS_LENGTH[list(WITHOUT_LENGTH)] = False
_HAS_LENGTH[list(OF_NOTHING)] = True
_BYTE = np.full(256, MOST_FIELDS, np.uint8)
_BYTE[list(IN_A_BYTE)] = list(IN_A_BYTE.values())

_TIME_SIZE = 9
_ROOM = EVENT_CHUNK - CHUNK_HEAD_SIZE - 2
_ENDS = bytes((Record.END_OF_FILE, Record.END_OF_BUFFER))
_LIMITS = np.array([0] + [(1 << 8 * size) - 1 for size in range(1, 8)], np.int64)


class Encoder:
    """An encoder of one location's events: takes them in pieces, and yields the chunks of the file."""

    def __init__(self) -> None:
        self.written = 0
        self.body: list[bytes] = []
        self.size = 0
        self.first = 0
        self.time = -1

    def add(self, events: Events) -> Iterator[bytes]:
        while len(events):
            size = _sizes(events, self.time if self.size else -1)
            end = int(np.searchsorted(np.cumsum(size), _ROOM - self.size, "right"))
            if end:
                piece = events.rows(0, end)
                self.body.append(_encoded(piece, size[:end], self.time if self.size else -1))
                self.size += len(self.body[-1])
                self.written += end
                self.time = int(piece.time[-1])
                events = events.rows(end, len(events))
            if len(events):
                yield self._chunk(b"\0" * (EVENT_CHUNK - CHUNK_HEAD_SIZE - self.size))

    def finish(self) -> bytes:
        """Return the last chunk, which is not padded."""
        return self._chunk(_ENDS)

    def _chunk(self, tail: bytes) -> bytes:
        head = struct.pack(
            "<" + CHUNK_HEAD, Record.CHUNK_HEADER, LITTLE, self.first + 1, self.written
        )
        chunk = b"".join((head, *self.body, tail))
        self.body, self.size, self.first, self.time = [], 0, self.written, -1
        return chunk


def _width(values: Ints) -> Bytes:
    """Return the number of bytes of each value, 0 for an undefined one."""
    if not len(values) or (int(values.max()) <= 0xFF and int(values.min()) >= -1):
        return (values > 0).view(np.uint8)
    width = np.searchsorted(_LIMITS, values).astype(np.uint8)
    width[values < -1] = 8
    return width


def _is_stamped(events: Events, before: int) -> npt.NDArray[np.bool_]:
    """Return which events need a timestamp; events of the same moment share one."""
    stamped = np.empty(len(events), np.bool_)
    stamped[0] = before < 0 or events.time[0] != before
    np.not_equal(events.time[1:], events.time[:-1], out=stamped[1:])
    return stamped


def _sizes(events: Events, before: int) -> Ints:
    size = _body_size(events) + np.uint8(1) + _HAS_LENGTH[events.type]
    total: Ints = size.astype(np.int64)
    total[_is_stamped(events, before)] += _TIME_SIZE
    return total


def _body_size(events: Events) -> Bytes:
    count = _FIELDS[events.type]
    size = _HAS_MODEL[events.type] + count
    for number in range(MOST_FIELDS):
        used = np.flatnonzero((count > number) & (_BYTE[events.type] != number))
        size[used] += _width(events.fields[number][used])
    return size.view(np.uint8)


def _encoded(events: Events, size: Ints, before: int) -> bytes:
    out = np.zeros(int(size.sum()), np.uint8)
    at = np.cumsum(size) - size
    stamped = np.flatnonzero(_is_stamped(events, before))
    out[at[stamped]] = Record.TIMESTAMP
    _write_values(out, at[stamped] + 1, events.time[stamped], 8)
    at[stamped] += _TIME_SIZE
    out[at] = events.type
    at += 1
    length = np.flatnonzero(_HAS_LENGTH[events.type])
    if len(length):
        out[at[length]] = _body_size(events)[length]
        at[length] += 1
    model = np.flatnonzero(_HAS_MODEL[events.type])
    if len(model):
        out[at[model]] = Paradigm.OPENMP
        at[model] += 1
    count, byte = _FIELDS[events.type], _BYTE[events.type]
    for number in range(MOST_FIELDS):
        plain = np.flatnonzero(byte == number)
        out[at[plain]] = events.fields[number][plain]
        at[plain] += 1
        used = np.flatnonzero((count > number) & (byte != number))
        if len(used):
            at[used] += _put_integer(out, at[used], events.fields[number][used])
    return out.tobytes()


def _put_integer(out: Bytes, at: Ints, values: Ints) -> npt.NDArray[Any]:
    """Write integers at some places; return how many bytes each took."""
    width = _width(values)
    out[at] = np.where(values == -1, np.uint8(UNDEFINED_BYTE), width)
    for byte in range(int(width.max())):
        has = slice(None) if byte < int(width.min()) else width > byte
        out[at[has] + 1 + byte] = values[has] >> 8 * byte & 0xFF
    return width + np.uint8(1)


def _write_values(out: Bytes, at: Ints, values: Ints, width: int) -> None:
    for byte in range(width):
        out[at + byte] = values >> 8 * byte & 0xFF
