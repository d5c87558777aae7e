"""A location's event file -> its events as columns, checked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from pomp_clang.otf2.encode import Bytes, Events, Ints
from pomp_clang.otf2.errors import bytes_of, damaged
from pomp_clang.otf2.fields import ORDERS
from pomp_clang.otf2.layout import (
    CHUNK_HEAD_SIZE,
    FIELDS,
    MOST_FIELDS,
    OF_MODEL,
    UNDEFINED_BYTE,
    WITHOUT_LENGTH,
    Event,
    Record,
)

_FIELDS = np.zeros(256, np.uint8)
_FIELDS[list(FIELDS)] = list(FIELDS.values())
_FIELDS[Event.METRIC] = 0
_HAS_MODEL = np.zeros(256, np.int64)
_HAS_MODEL[list(OF_MODEL)] = 1
_HAS_LENGTH = np.ones(256, np.int64)
_HAS_LENGTH[list(WITHOUT_LENGTH)] = 0
_PLAIN = bytes(kind in WITHOUT_LENGTH for kind in range(256))
_FIRST_EVENT = 10


def read_events(file: Path, chunk: int) -> Events:
    """Those that `layout.FIELDS` has, with the paradigm left out; metrics, which may have many
    members, and all others are passed over."""
    data = bytes_of(file)
    if not data:
        raise damaged(file, "is empty")
    pieces = [
        _chunk(file, data, begin, min(begin + chunk, len(data)))
        for begin in range(0, len(data), chunk)
    ]
    return Events(
        np.concatenate([each.time for each in pieces]),
        np.concatenate([each.type for each in pieces]),
        tuple(np.concatenate([each.fields[n] for each in pieces]) for n in range(MOST_FIELDS)),
    )


def _chunk(file: Path, data: bytes, begin: int, end: int) -> Events:
    if end - begin < CHUNK_HEAD_SIZE or data[begin] != Record.CHUNK_HEADER:
        raise damaged(file, f"is damaged or cut off (chunk at byte {begin})")
    order = ORDERS.get(data[begin + 1])
    if not order:
        raise damaged(file, f"is damaged (byte order at byte {begin})")
    piece = data[begin:end]
    at, stamp, stop = _scan(file, piece, begin)
    body = np.frombuffer(piece + bytes(16), np.uint8)
    type_ = body[at]
    known = (_FIELDS[type_] > 0) | (_HAS_MODEL[type_] > 0)
    at, stamp, stop, type_ = at[known], stamp[known], stop[known], type_[known]
    cursor = at + 1 + _HAS_LENGTH[type_] + _HAS_MODEL[type_]
    fields = []
    for number in range(MOST_FIELDS):
        used = np.flatnonzero(_FIELDS[type_] > number)
        column = np.zeros(len(at), np.int64)
        column[used], cursor[used] = _integers(body, cursor[used], order)
        if (cursor[used] > stop[used]).any():
            raise damaged(file, f"is damaged (an event of the chunk at byte {begin})")
        fields.append(column)
    return Events(_whole(body, stamp, order), type_, tuple(fields))


def _scan(file: Path, piece: bytes, begin: int) -> tuple[Ints, Ints, Ints]:
    """Where each event is, its time, and its end."""
    found: list[int] = []
    stamps: list[int] = []
    stops: list[int] = []
    at, stamp = CHUNK_HEAD_SIZE, 0
    try:
        while (kind := piece[at]) > Record.END_OF_FILE:
            if kind == Record.TIMESTAMP:
                stamp = at + 1
                at += 9
                continue
            size = piece[at + 1]
            end = at + 2 + size
            if size == UNDEFINED_BYTE:
                end = at + 2 if _PLAIN[kind] else _long(piece, at)
            if kind >= _FIRST_EVENT:
                found.append(at)
                stamps.append(stamp)
                stops.append(end)
            elif kind != Record.ATTRIBUTES:
                raise damaged(file, f"is damaged (record {kind} at byte {begin + at})")
            at = end
    except IndexError:
        raise damaged(file, f"is cut off (the chunk at byte {begin} has no end)") from None
    if found and not stamps[0]:
        raise damaged(file, f"is damaged (no time in the chunk at byte {begin})")
    return tuple(np.array(each, np.int64) for each in (found, stamps, stops))  # type: ignore[return-value]


def _long(piece: bytes, at: int) -> int:
    """The end of a record whose length does not fit a byte."""
    order = "little" if piece[1] == next(iter(ORDERS)) else "big"
    return at + 10 + int.from_bytes(piece[at + 2 : at + 10], order)  # type: ignore[arg-type]


def _whole(body: Bytes, at: Ints, order: str) -> Ints:
    places = at[:, None] + np.arange(8)
    value: Ints = body[places].view(f"{order}i8")[:, 0].astype(np.int64)
    return value


def _integers(body: Bytes, at: Ints, order: str) -> tuple[Ints, Ints]:
    """The values, -1 where undefined, and where what follows them begins."""
    at = np.minimum(at, len(body) - 9)
    size = body[at].astype(np.int64)
    is_undefined = size == UNDEFINED_BYTE
    size[is_undefined] = 0
    wrong = size > 8
    size[wrong] = 0
    value = np.zeros(len(at), np.int64)
    for byte in range(int(size.max(initial=0))):
        has = size > byte
        shift = 8 * byte if order == "<" else 8 * (size[has] - 1 - byte)
        value[has] |= body[at[has] + 1 + byte].astype(np.int64) << shift
    value[is_undefined] = -1
    after = at + 1 + size
    after[wrong] = len(body)
    return value, after


def corrected(time: Ints, offsets: list[tuple[int, int]]) -> Ints:
    """By the offsets of the location's clock, between two of which it runs evenly."""
    if not offsets:
        return time
    known, by = np.array(sorted(offsets), np.int64).T
    shift: npt.NDArray[np.float64] = np.interp(time - known[0], known - known[0], by - by[0])
    result: Ints = time + by[0] + np.rint(shift).astype(np.int64)
    return result
