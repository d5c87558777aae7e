"""Does a shared library have a name of its own?

Without one a program that needs it records the path it was linked by, and needs
no search path: then a program that does not need it is not changed at all.  On
the path of every link: imports nothing.
"""

from __future__ import annotations

PT_DYNAMIC = 2
DT_SONAME = 14


def has_soname(path: str) -> bool:
    """True as well for what cannot be read as ELF: a search path then does no harm."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return True
    if data[:4] != b"\x7fELF":
        return True
    return any(tag == DT_SONAME for tag in _tags(data))


def _tags(data: bytes) -> list[int]:
    """The tags of the dynamic section."""
    big = data[5:6] == b"\x02"
    wide = data[4:5] == b"\x02"
    word = 8 if wide else 4

    def number(at: int, size: int) -> int:
        return int.from_bytes(data[at : at + size], "big" if big else "little")

    headers = number(32 if wide else 28, word)
    size, count = number(54 if wide else 42, 2), number(56 if wide else 44, 2)
    for index in range(count):
        at = headers + index * size
        if number(at, 4) == PT_DYNAMIC:
            start = number(at + (8 if wide else 4), word)
            length = number(at + (32 if wide else 16), word)
            end = min(start + length, len(data))
            return [number(place, word) for place in range(start, end, 2 * word)]
    return []
