"""Coverage of clang (gcov) without what is inserted: the notes have the lines that they have natively.

A call ends no block here, so a function has the blocks and arcs that it has natively, and its
counters count the same: the lines of its blocks are those of the native notes.  One of another
graph has no line that it has not natively.  The functions that clang makes of a directive's
block have the same names in the same order natively, but for their numbers.
"""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Iterator, Sequence

from pomp_clang.driver.ask import ask
from pomp_clang.driver.native import proper, without_outputs
from pomp_clang.record import record

FUNCTION, BLOCKS, ARCS, LINES = 0x01000000, 0x01410000, 0x01430000, 0x01450000
# What clang writes if it is not told otherwise: the layout of gcc 4.8, lengths in words.
HEADER = b"oncg*804"
_START = 12
# What clang tells functions apart by: a number, and of device code the file that it reads.
_NUMBER = re.compile(rb"\.\d+(?=\.|$)|(?<=__omp_offloading_)[0-9a-f]+_[0-9a-f]+")

_NOTES = "-coverage-notes-file="

Line = tuple[bytes, int]


@record
class Function:
    """A function's name without numbers, how many blocks it has and where the arcs of
    each lead to, and the lines of each as they are written."""

    name: bytes
    graph: list[tuple[int, ...]]
    lines: list[bytes]


def keep_native_lines(made: Sequence[str], own: Sequence[str], folder: str) -> None:
    """Take the other lines out of the notes that a command has made; `own` is the user's own
    command, of which is run once more what writes notes.

    Raises OSError, DriverError and ValueError.
    """
    natives = _noting(own) if own else []
    for one, native in zip(_noting(made), natives, strict=False):
        path = os.path.join(folder, "native.gcno")
        kept = [word for word in without_outputs(native) if not word.startswith(_NOTES)]
        command = [*kept, "-w", "-o", os.devnull, f"{_NOTES}{path}"]
        if ask(command, timeout=3600).status == 0:
            _rewrite(_notes(one), path)


def _noting(command: Sequence[str]) -> list[list[str]]:
    """What clang's driver says it runs that writes notes."""
    return [words for words in proper(command) if _notes(words)]


def _notes(words: Sequence[str]) -> str:
    found = (word.removeprefix(_NOTES) for word in words if word.startswith(_NOTES))
    return next(found, "")


def _rewrite(path: str, native: str) -> None:
    with open(native, "rb") as file:
        known = file.read()
    with open(path, "rb") as file:
        data = file.read()
    kept = with_lines_of(data, known)
    with open(path, "wb") as file:
        file.write(kept)


def with_lines_of(data: bytes, native: bytes) -> bytes:
    """Notes without the lines that a function has not in the native ones.

    Raises ValueError where they are not of a known layout.
    """
    functions = _functions(data)
    partners = _partners(functions, _functions(native))
    pieces, number, told = [data[:_START]], -1, False
    for tag, payload in _records(data):
        if tag == FUNCTION:
            number, told = number + 1, False
        partner = partners[number] if tag == LINES else None
        if partner is None:
            pieces.append(_record(tag, payload))
        elif partner.graph != functions[number].graph:
            known = {line for lines in partner.lines for line in _lines(lines)}
            pieces.append(_record(tag, payload[:4] + _spelt(_kept(_lines(payload), known))))
        elif not told:
            told = True
            pieces += [_record(LINES, lines) for lines in partner.lines]
    return b"".join([*pieces, data[_end(data) :]])


def _record(tag: int, payload: bytes) -> bytes:
    return struct.pack("<II", tag, len(payload) // 4) + payload


def _partners(ours: Sequence[Function], native: Sequence[Function]) -> list[Function | None]:
    """The native form of each function; None where it cannot be told which one it is."""
    found: list[Function | None] = []
    for number, one in enumerate(ours):
        theirs = [each for each in native if each.name == one.name]
        alike = len(theirs) == sum(each.name == one.name for each in ours)
        before = sum(each.name == one.name for each in ours[:number])
        found.append(theirs[before] if alike else None)
    return found


def _kept(lines: Sequence[Line], native: set[Line]) -> list[Line]:
    """A line that was parted by one that is left out is one again."""
    kept: list[Line] = []
    parted = False
    for line in lines:
        if line not in native:
            parted = True
        elif not (parted and kept and kept[-1] == line):
            kept.append(line)
            parted = False
    return kept


def _functions(data: bytes) -> list[Function]:
    if not data.startswith(HEADER):
        raise ValueError("notes of another layout")
    found: list[Function] = []
    for tag, payload in _records(data):
        if tag == FUNCTION:
            (length,) = struct.unpack_from("<I", payload, 12)
            name = payload[16 : 16 + 4 * length].rstrip(b"\0")
            found.append(Function(_NUMBER.sub(b"", name), [], []))
        elif tag == LINES and found:
            found[-1].lines.append(payload)
        elif tag == ARCS and found:
            words = struct.unpack(f"<{len(payload) // 4}I", payload)
            found[-1].graph.append((words[0], *words[1::2]))
        elif tag == BLOCKS and found:
            found[-1].graph.append((len(payload),))
    return found


def _records(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = _START
    while at + 8 <= len(data):
        tag, length = struct.unpack_from("<II", data, at)
        if not tag:
            return
        if at + 8 + 4 * length > len(data):
            raise ValueError("a record ends behind the file")
        yield tag, data[at + 8 : at + 8 + 4 * length]
        at += 8 + 4 * length


def _end(data: bytes) -> int:
    """Where what follows the last record begins."""
    return _START + sum(8 + len(payload) for _, payload in _records(data))


def _lines(payload: bytes) -> list[Line]:
    words = struct.unpack(f"<{len(payload) // 4}I", payload)
    found: list[Line] = []
    at, file = 1, b""
    while at + 1 < len(words):
        if words[at]:
            found.append((file, words[at]))
            at += 1
            continue
        length = words[at + 1]
        if not length:
            break
        file = payload[4 * (at + 2) : 4 * (at + 2 + length)]
        at += 2 + length
    return found


def _spelt(lines: Sequence[Line]) -> bytes:
    pieces, file = [], b""
    for name, number in lines:
        if name != file:
            file = name
            pieces.append(struct.pack("<II", 0, len(file) // 4) + file)
        pieces.append(struct.pack("<I", number))
    return b"".join([*pieces, bytes(8)])
