"""Coverage of clang (gcov) without what is inserted: the notes are the native ones.

A call ends no block here, so a function has the blocks and arcs that it has natively, and its
counters count the same: what the notes say besides, of names and lines, is what they say
natively.  The functions that clang makes of a directive's block have the same names in the same
order natively, but for their numbers.
"""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Iterator, Sequence

from pomp_clang.driver.ask import ask
from pomp_clang.driver.errors import DriverError
from pomp_clang.driver.flow import Arc, Arcs, Graph, fitted
from pomp_clang.driver.native import proper, without_outputs
from pomp_clang.driver.otherwise import Otherwise
from pomp_clang.record import record

FUNCTION, BLOCKS, ARCS, LINES = 0x01000000, 0x01410000, 0x01430000, 0x01450000
# What clang writes if it is not told otherwise: the layout of gcc 4.8, lengths in words.
HEADER = b"oncg*804"
_START = 12
_KNOWN_BY = 12
"""The bytes of a function's number and checksums, by which its counters are found."""
# What clang tells functions apart by: a number, and of device code the file that it reads.
_NUMBER = re.compile(rb"\.\d+(?=\.|$)|(?<=__omp_offloading_)[0-9a-f]+_[0-9a-f]+")

_NOTES = "-coverage-notes-file="

Line = tuple[bytes, int]


@record
class Function:
    """A function's name without numbers, its first record, and the others as they are
    written."""

    name: bytes
    announced: bytes
    records: list[tuple[int, bytes]]

    @property
    def graph(self) -> Graph:
        """A block has one word."""
        blocks = sum(len(payload) // 4 for _, payload in self.of(BLOCKS))
        arcs: dict[int, tuple[Arc, ...]] = {}
        for _, payload in self.of(ARCS):
            source, *words = struct.unpack(f"<{len(payload) // 4}I", payload)
            pairs = zip(words[::2], words[1::2], strict=True)
            arcs[source] = (*arcs.get(source, ()), *(Arc(*pair) for pair in pairs))
        return Graph(blocks, arcs)

    def of(self, tag: int) -> Iterator[tuple[int, bytes]]:
        return (each for each in self.records if each[0] == tag)


def keep_native(
    made: Sequence[str], own: Sequence[str], folder: str, stdin: bytes | None
) -> list[Otherwise]:
    """Make the notes that a command has made those of the user's `own`, of which is run once
    more what writes notes; the functions that are counted otherwise, for which that cannot be.

    Raises OSError, DriverError and ValueError.
    """
    ours, natives = _noting(made), _noting(own)
    if len(ours) != len(natives):
        raise DriverError("the compiler does not compile what it compiles natively")
    found: list[Otherwise] = []
    for number, (one, native) in enumerate(zip(ours, natives, strict=True)):
        if not os.path.exists(_notes(one)):
            continue
        with open(_notes(one), "rb") as file:
            data = file.read()
        joined = as_natively(
            data, _original(native, os.path.join(folder, f"native{number}.gcno"), stdin)
        )
        if isinstance(joined, bytes):
            with open(_notes(one), "wb") as file:
                file.write(joined)
        else:
            found += joined
    return found


def _original(words: Sequence[str], path: str, stdin: bytes | None) -> bytes:
    """The notes that a command of the compiler proper writes, without its other outputs; they
    are at `path` once they have been asked for."""
    kept = [word for word in without_outputs(words) if not word.startswith(_NOTES)]
    # Before the source's name: behind it clang takes a word for another's.
    command = [*kept[:-1], "-w", "-o", os.devnull, f"{_NOTES}{path}", kept[-1]]
    if not os.path.exists(path) and ask(command, timeout=3600, given=stdin).status:
        raise DriverError("the compiler does not tell what it counts")
    with open(path, "rb") as file:
        return file.read()


def _noting(command: Sequence[str]) -> list[list[str]]:
    """What clang's driver says it runs that writes notes."""
    return [words for words in proper(command) if _notes(words)]


def _notes(words: Sequence[str]) -> str:
    found = (word.removeprefix(_NOTES) for word in words if word.startswith(_NOTES))
    return next(found, "")


def as_natively(data: bytes, native: bytes) -> bytes | list[Otherwise]:
    """The native notes for the counters that were made, or the functions that have others.

    Raises ValueError where they are not of a known layout.
    """
    made, theirs = _functions(data), _functions(native)
    pieces = [data[:_START]]
    found: list[Otherwise] = []
    partners = _partners(theirs, made)
    for function, one in zip(theirs, partners, strict=True):
        arcs = fitted(one.graph, function.graph) if one is not None else None
        if one is None or arcs is None:
            found += _places(function, one)
            continue
        announced = one.announced[:_KNOWN_BY] + function.announced[_KNOWN_BY:]
        records = [*function.of(BLOCKS), *_spelt(arcs), *function.of(LINES)]
        pieces += [_record(FUNCTION, announced), *(_record(*each) for each in records)]
    known = {id(one) for one in partners}
    found += [place for one in made if id(one) not in known for place in _places(one, None)]
    return found or b"".join([*pieces, native[_end(native) :]])


def _spelt(arcs: Arcs) -> Iterator[tuple[int, bytes]]:
    for source, own in arcs.items():
        words = [source, *(word for arc in own for word in (arc.target, arc.flags))]
        yield ARCS, struct.pack(f"<{len(words)}I", *words)


def _record(tag: int, payload: bytes) -> bytes:
    return struct.pack("<II", tag, len(payload) // 4) + payload


def _partners(native: Sequence[Function], made: Sequence[Function]) -> list[Function | None]:
    """What each native function is here: one of as many of the same name by their order, else
    None."""
    found: dict[int, Function] = {}
    ours, theirs = _by_name(made), _by_name(native)
    for name, places in theirs.items():
        others = ours.get(name, [])
        if len(others) == len(places):
            found |= {n: made[other] for n, other in zip(places, others, strict=True)}
    return [found.get(n) for n in range(len(native))]


def _by_name(functions: Sequence[Function]) -> dict[bytes, list[int]]:
    places: dict[bytes, list[int]] = {}
    for place, function in enumerate(functions):
        places.setdefault(function.name, []).append(place)
    return places


def _places(native: Function, made: Function | None) -> Iterator[Otherwise]:
    """The lines that a function has code of, by their files."""
    lines: dict[bytes, set[int]] = {}
    for function in (native, made):
        if function is not None:
            for file, number in _all_lines(function):
                lines.setdefault(file, set()).add(number)
    for file, numbers in lines.items():
        yield Otherwise(os.fsdecode(file.rstrip(b"\0")), frozenset(numbers))


def _all_lines(function: Function) -> Iterator[Line]:
    _, at = _text(function.announced, _KNOWN_BY)
    file, at = _text(function.announced, at)
    yield file, int.from_bytes(function.announced[at : at + 4], "little")
    for _, payload in function.of(LINES):
        yield from _lines(payload)


def _functions(data: bytes) -> list[Function]:
    if not data.startswith(HEADER):
        raise ValueError("notes of another layout")
    found: list[Function] = []
    for tag, payload in _records(data):
        if tag == FUNCTION:
            name, _ = _text(payload, _KNOWN_BY)
            found.append(Function(_NUMBER.sub(b"", name.rstrip(b"\0")), payload, []))
            continue
        if not found:
            raise ValueError("notes of no function")
        found[-1].records.append((tag, payload))
    return found


def _text(payload: bytes, at: int) -> tuple[bytes, int]:
    """A text and where what follows it begins."""
    length = 4 * int.from_bytes(payload[at : at + 4], "little")
    return payload[at + 4 : at + 4 + length], at + 4 + length


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


def _lines(payload: bytes) -> Iterator[Line]:
    words = struct.unpack(f"<{len(payload) // 4}I", payload)
    at, file = 1, b""
    while at + 1 < len(words):
        if words[at]:
            yield file, words[at]
            at += 1
            continue
        length = words[at + 1]
        if not length:
            return
        file = payload[4 * (at + 2) : 4 * (at + 2 + length)]
        at += 2 + length
