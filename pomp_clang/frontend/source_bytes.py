"""A source's bytes as text: a character each, so that an index into it is a byte offset.

Bytes beyond ASCII are parts of identifiers or of literals to a compiler, in whatever encoding.
So they become letters, which no pattern, strip or split takes for a blank. Latin-1's second
half has both blanks and marks.
"""

from __future__ import annotations

import codecs

_LETTERS = 0xAC00
"""From here on Unicode has nothing but letters that have no case and are no digits (Hangul)."""

_DECODING = "".join(chr(byte if byte < 128 else _LETTERS + byte) for byte in range(256))
_ENCODING = codecs.charmap_build(_DECODING)

IDENTIFIER = r"[^\W\d]\w*"
"""The pattern of an identifier in such a text."""


def text_of(data: bytes) -> str:
    """Decode bytes to a text of the same length."""
    if data.isascii():
        return data.decode("ascii")
    return codecs.charmap_decode(data, "strict", _DECODING)[0]


def bytes_of(text: str) -> bytes:
    """Encode such a text as the bytes that it stands for."""
    if text.isascii():
        return text.encode("ascii")
    return codecs.charmap_encode(text, "strict", _ENCODING)[0]


def decoded(text: str) -> str:
    """Return a name in such a text as the file system and libclang have it."""
    return bytes_of(text).decode("utf-8", "surrogateescape")


def encoded(name: str) -> str:
    """Return a name of the file system as it stands in such a text."""
    return text_of(name.encode("utf-8", "surrogateescape"))
