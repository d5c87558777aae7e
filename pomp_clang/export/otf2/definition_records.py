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
