"""A location's file -> its events, as docs/reference/trace-format.md has the format."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path

_HEAD = struct.Struct("=8s4IQQqQQ")
_WORD = struct.Struct("=Q")
_VALUE = 0xFF


@dataclass
class Event:
    """`time` in ticks of the profile's clock, `path` a call path's number in the file, 0 for none;
    `values` of 56 bits."""

    time: int
    op: int
    path: int
    values: list[int] = field(default_factory=list)


def events_of(file: Path) -> list[Event]:
    """Return the events of a file of format 4, in their order."""
    data = file.read_bytes()
    size = struct.unpack_from("=I", data, 16)[0]
    blocks = {}
    for offset in range(0, len(data), size):
        magic, _, _, _, _, number, base, *_ = _HEAD.unpack_from(data, offset)
        if magic == b"POMPTRC\n":
            blocks[number] = base, data[offset + _HEAD.size : offset + size]
    events: list[Event] = []
    for number in sorted(blocks):
        base, body = blocks[number]
        for (word,) in _WORD.iter_unpack(body[: len(body) // 8 * 8]):
            if not word:
                break
            if word & 0xFF == _VALUE:
                events[-1].values.append(word >> 8)
            else:
                events.append(Event(base + (word >> 24), word & 0xFF, word >> 8 & 0xFFFF))
    return events
