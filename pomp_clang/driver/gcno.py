"""Notes files of gcc's coverage (gcov-io.h): reading and writing them.

A file is a header, then records of a tag, a length and as many units of payload; a unit is
a byte since gcc 12, and was a word before.  Functions have blocks, arcs between these, and
lines.  What is not known here is kept as it is.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from pomp_clang.driver.flow import Arc
from pomp_clang.record import record

FUNCTION, BLOCKS, ARCS, LINES = 0x01000000, 0x01410000, 0x01430000, 0x01450000
_ORDERS = {b"oncg": "<", b"gcno": ">"}
_OLDEST = "9"  # of the major version's digits; before it nothing tells how a record is laid out


class NotesError(ValueError):
    """The file is not one that is known here."""


@record
class Line:
    """A line that a block has code of."""

    file: bytes
    number: int


@record
class Function:
    """`announced` is its first record; of its blocks, those with arcs and with lines."""

    name: bytes
    announced: bytes
    blocks: int
    arcs: dict[int, tuple[Arc, ...]]
    lines: dict[int, tuple[Line, ...]]


@record
class Notes:
    """A file: `header`, all that stands before the first function, and the functions."""

    order: str
    unit: int
    header: bytes
    functions: tuple[Function, ...]


def read(data: bytes) -> Notes:
    """Raises `NotesError`."""
    try:
        return _read(data)
    except (struct.error, IndexError, KeyError) as error:
        raise NotesError(f"the notes file is not understood: {error}") from None


def _read(data: bytes) -> Notes:
    order = _ORDERS[data[:4]]
    version = data[4:8][::-1] if order == "<" else data[4:8]
    major = _major(version.decode("ascii", "replace"))
    reader = _Reader(data, order, 1 if major >= 12 else 4)
    reader.at = 16 if major >= 12 else 12
    reader.text()
    reader.word()
    start = reader.at
    return Notes(order, reader.unit, data[:start], tuple(_functions(reader)))


def _major(version: str) -> int:
    """`B22*` is gcc 12.2, `A93*` is 9.3 (gcov-iov.cc)."""
    if not "A" <= version[:1] <= "Z" or not version[1:2].isdigit():
        raise NotesError(f"notes of version {version!r}")
    major = (ord(version[0]) - ord("A")) * 10 + int(version[1])
    if major < int(_OLDEST):
        raise NotesError(f"notes of version {version!r}")
    return major


class _Reader:
    def __init__(self, data: bytes, order: str, unit: int) -> None:
        self.data = data
        self.order = order
        self.unit = unit
        self.at = 0

    def word(self) -> int:
        (value,) = struct.unpack_from(f"{self.order}I", self.data, self.at)
        self.at += 4
        return int(value)

    def text(self) -> bytes | None:
        """A text with what fills it up, or None."""
        length = self.word() * self.unit
        if not length:
            return None
        self.at += length
        if self.at > len(self.data):
            raise IndexError("a text ends behind the file")
        return self.data[self.at - length : self.at]


def _functions(reader: _Reader) -> Iterator[Function]:
    name, announced, blocks = b"", b"", 0
    arcs: dict[int, tuple[Arc, ...]] = {}
    lines: dict[int, tuple[Line, ...]] = {}
    while reader.at < len(reader.data):
        start = reader.at
        tag, end = reader.word(), reader.word() * reader.unit
        if not tag:
            break
        end += reader.at
        if tag == FUNCTION:
            if announced:
                yield Function(name, announced, blocks, arcs, lines)
            reader.at += 12
            name, announced, blocks = reader.text() or b"", reader.data[start:end], 0
            arcs, lines = {}, {}
        elif tag == BLOCKS:
            blocks = reader.word()
        elif tag == ARCS:
            source = reader.word()
            pairs = [(reader.word(), reader.word()) for _ in range((end - reader.at) // 8)]
            arcs[source] = tuple(Arc(target, flags) for target, flags in pairs)
        elif tag == LINES:
            block = reader.word()
            lines[block] = (*lines.get(block, ()), *_lines(reader))
        else:
            raise NotesError(f"a record of tag {tag:#x}")
        reader.at = end
    if announced:
        yield Function(name, announced, blocks, arcs, lines)


def _lines(reader: _Reader) -> Iterator[Line]:
    file = b""
    while True:
        number = reader.word()
        if number:
            yield Line(file, number)
            continue
        name = reader.text()
        if name is None:
            return
        file = name


def place(notes: Notes, function: Function) -> Line:
    """Where a function begins."""
    reader = _Reader(function.announced, notes.order, notes.unit)
    reader.at = 20
    reader.text()
    reader.at += 4
    return Line(reader.text() or b"", reader.word())


def announced_as(function: Function, other: Function) -> bytes:
    """The first record of a function, whose counters are its own, at the place of another."""
    own = slice(8, 20)
    return other.announced[: own.start] + function.announced[own] + other.announced[own.stop :]


def written(notes: Notes) -> bytes:
    """The file's content."""
    pieces = [notes.header]
    for function in notes.functions:
        pieces.append(function.announced)
        pieces.append(_record(notes, BLOCKS, [function.blocks]))
        for source, arcs in function.arcs.items():
            words = [word for arc in arcs for word in (arc.target, arc.flags)]
            pieces.append(_record(notes, ARCS, [source, *words]))
        for block, lines in function.lines.items():
            pieces.append(_record(notes, LINES, [block], _spelt(notes, lines)))
    return b"".join(pieces)


def _record(notes: Notes, tag: int, words: list[int], rest: bytes = b"") -> bytes:
    length = (4 * len(words) + len(rest)) // notes.unit
    return struct.pack(f"{notes.order}{2 + len(words)}I", tag, length, *words) + rest


def _spelt(notes: Notes, lines: tuple[Line, ...]) -> bytes:
    pieces, file = [], b""
    for line in lines:
        if line.file != file:
            file = line.file
            pieces.append(struct.pack(f"{notes.order}II", 0, len(file) // notes.unit) + file)
        pieces.append(struct.pack(f"{notes.order}I", line.number))
    return b"".join([*pieces, bytes(8)])
