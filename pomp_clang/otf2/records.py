"""Definitions as the bytes of their records."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from pomp_clang.otf2 import layout
from pomp_clang.otf2.layout import Definition, Record

ENDS = bytes((Record.END_OF_FILE, Record.END_OF_BUFFER))


def chunk_head() -> bytes:
    return struct.pack("<" + layout.CHUNK_HEAD, Record.CHUNK_HEADER, layout.LITTLE, 1, 0)


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Byte:
    value: int


def text_of(text: str) -> bytes:
    return text.replace("\0", " ").encode("utf-8", "replace") + b"\0"


def integer_of(value: int) -> bytes:
    """As few bytes as it needs; what is undefined, or below 0, is all bits set."""
    if value < 0:
        return bytes((layout.UNDEFINED_BYTE,))
    size = (value.bit_length() + 7) // 8
    return bytes((size,)) + value.to_bytes(size, "little")


def record(definition: Definition, *fields: int | Text | Byte) -> bytes:
    parts = []
    for field in fields:
        match field:
            case Text(text):
                parts.append(text_of(text))
            case Byte(value):
                parts.append(bytes((value,)))
            case _:
                parts.append(integer_of(field))
    body = b"".join(parts)
    short = len(body) < layout.UNDEFINED_BYTE
    length = bytes((len(body),)) if short else b"\xff" + struct.pack("<Q", len(body))
    return bytes((definition,)) + length + body
