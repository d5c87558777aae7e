"""Headers with which many units of a project begin, parsed once for all of them.

Headers are most of a file's parse, and the sources of a project often begin with the same ones. The
first may also be a header of the project that includes the others. So the processes of a compile server share the parse
of such a beginning, which LLVM calls a preamble: a precompiled header, which libclang reads in a
tenth of the time. In C++ it has no bodies of functions: with these, libclang would make the bodies
of their templates again for each unit. In the unit's own parse, include guards then leave out the
headers. System headers further behind in a C++ unit may belong to a preamble as well (`hoisted`).

The headers of two units are the same if the preprocessor makes the same text of them, behind the
same options and macros. A preamble has no directive. So the tree is asked about the rest of the unit
alone.
"""

from __future__ import annotations

import json
import os
import re
from _blake2 import blake2b
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from pomp_clang.frontend.c.hoisted import SystemHeaders
from pomp_clang.frontend.c.parse import Preamble, UnitTexts, main_name
from pomp_clang.frontend.c.preamble_parts import (
    GUARD,
    NAME,
    TURN,
    PreamblePart,
    is_guarded,
    operand_at,
)
from pomp_clang.frontend.c.preamble_store import KEY_BYTES, NOT_WITH, PreambleStore
from pomp_clang.frontend.c.preprocess import preprocess
from pomp_clang.frontend.c.preprocessed import Preprocessed
from pomp_clang.frontend.c.tree import SyntaxTree
from pomp_clang.frontend.inclusion import Inclusion
from pomp_clang.frontend.source import bytes_of
from pomp_clang.frontend.unit import Unit, UnitError
from pomp_clang.record import record, replace

_LEAST = 50_000
"""Characters of preprocessed text: fewer are parsed as fast as a precompiled header is read."""
_MOST = 12
"""Preambles of a unit that are looked up."""


_IN_SYSTEM = re.compile(rf"# \d+ {NAME} 1 3")
_MAIN = re.compile(rf"# [01] {NAME}")
_PLAIN_LINE = r"[ \t]*\n|# \d+ [^\n]*\n|#pragma once\n"
_COUNTING = re.compile(rf"^(?:[ \t]*|# \d+ {NAME}(?: [34])*)\n", re.M)
_OF_HEADER = re.compile(rf"(?:{_PLAIN_LINE})*(?:#define (\w+)(?: 1)?[ \t]*\n(?:{_PLAIN_LINE})*)?")
"""What may stand in a header before an #include: one macro, which has to be its guard."""
_OF_MAIN = re.compile(rf"(?:{_PLAIN_LINE}|#(?:define|undef) [^\n]*\n)*")
_MACRO = re.compile(r"^#(?:define|undef) [^\n]*\n", re.M)


def shared_preamble(
    store: PreambleStore, unit: Unit, texts: UnitTexts, preprocessed: Preprocessed
) -> Preamble | None:
    """Return the preamble that the unit has with others, parsed; None if there is none."""
    if unit.path == "-" or unit.offloads:
        return None
    if any(word.startswith(NOT_WITH) for word in unit.arguments):
        return None
    beginning = _Beginning(unit, texts, preprocessed)
    candidates = beginning.candidates()
    keys = [candidate.key for candidate in candidates]
    choice = store.choose(keys, [_length(candidate.parts) for candidate in candidates])
    if choice is None:
        return None
    place, is_new = choice
    chosen = candidates[place]
    entered = beginning.entered(chosen)
    if not entered.isdisjoint(preprocessed.files) or (unit.functions and entered):
        return None
    if chosen.hoisted:
        headers, start = SystemHeaders(preprocessed, texts), chosen.hoisted_from
        if not headers.may_stand_in_front(chosen.hoisted, start, entered):
            return None
    refused = _refused_with(chosen, candidates if is_new else ())
    if is_new and not _parse_alone(store, unit, chosen, entered, preprocessed, texts):
        for key in refused:
            store.give_up(key)
        return None
    kept = store.parsed(chosen.key)
    if kept is None:
        return None
    path, listing = kept
    inclusions = tuple(_inclusions(json.loads(listing), chosen.headers))
    outermost = tuple(preprocessed.text[h.start : h.end].split('"')[1] for h in chosen.headers)
    return Preamble(path, refused, inclusions, outermost)


def _refused_with(
    chosen: _PreambleCandidate, candidates: Sequence[_PreambleCandidate]
) -> tuple[bytes, ...]:
    """Return the keys of preambles to give up if the chosen one, which is new, does not fit.

    Where system headers cannot stand in front, fewer of them most probably cannot either.
    """
    others = [c.key for c in candidates if c.hoisted] if chosen.hoisted else []
    return tuple(dict.fromkeys((chosen.key, *others)))


def _listed(way: Inclusion, main: str) -> tuple[str, str | None, int, int, int]:
    """Return an inclusion for the listing, with None for the text of the preamble."""
    includer = None if way.includer == main else way.includer
    return way.path, includer, way.line, way.offset, way.reading


def _inclusions(
    listing: list[tuple[str, str | None, int, int, int]], headers: Sequence[PreamblePart]
) -> Iterator[Inclusion]:
    """Yield the inclusions of a preamble, those of its headers at their places in this unit."""
    places = iter([header for header in headers if not header.is_system])
    for path, includer, line, offset, reading in listing:
        if includer is None:
            header = next(places)
            yield Inclusion(path, header.includer, header.number, header.offset)
        else:
            yield Inclusion(path, includer, line, offset, reading)


@record
class _PreambleCandidate:
    """Headers that may be parsed ahead, in parts, and a key for what they are."""

    parts: tuple[PreamblePart, ...]
    key: bytes
    hoisted: tuple[PreamblePart, ...] = ()
    """those of the parts, the last ones, with text of the project before them in the unit"""
    hoisted_from: int = 0
    """the offset at which this text begins in the preprocessed text"""

    @property
    def text(self) -> str:
        """A source that consists of the parts."""
        return "".join(part.line for part in self.parts)

    @property
    def headers(self) -> list[PreamblePart]:
        """The parts that are headers."""
        return [part for part in self.parts if part.includer]


class _EnteredFile:
    """A file that the preprocessor is in: its name, where it begins in the output, and the number of
    headers before it.

    `is_plain` is true as long as nothing stands in it but whole headers with guards.
    """

    def __init__(self, name: str, start: int, before: int, is_plain: bool) -> None:
        self.name = name
        self.start = start
        self.before = before
        self.is_plain = is_plain


class _Beginning:
    """The beginning of a unit's preprocessed text, as far as it consists of whole headers."""

    def __init__(self, unit: Unit, texts: UnitTexts, preprocessed: Preprocessed) -> None:
        self._unit = unit
        self._texts = texts
        self._preprocessed = preprocessed
        self._output = preprocessed.text
        items = (*preprocessed.directives, *preprocessed.routines)
        self._last = min((item.at for item in items), default=len(self._output))
        self._parts: list[PreamblePart] = []
        self._stack: list[_EnteredFile] = []

    def candidates(self) -> list[_PreambleCandidate]:
        """Return the preambles that are long enough, the one with the most headers first."""
        main = _MAIN.match(self._output)
        begin = main and re.search(rf'\n# 1 "{re.escape(main.group(1))}"(?: 2)?\n', self._output)
        if not main or not begin:
            return []
        before = self._output[: begin.start()].replace(f'"{main.group(1)}"', '""')
        where = (
            self._unit.libclang,
            self._unit.language,
            os.getcwd(),
            *self._unit.arguments,
            before,
        )
        self._stack = [_EnteredFile(main.group(1), begin.end(), 0, True)]
        plain = list(deque(self._preambles(begin.end()), _MOST))
        if self._unit.functions:  # those of the project's headers are measured
            plain = [parts for parts in plain if all(p.is_system for p in parts if p.includer)]
        last = plain[-1] if plain else ()
        start = max((part.end for part in last), default=begin.end())
        hoisted = self._hoisted(start)
        ways = [(parts, 0) for parts in plain]
        ways += [((*last, *hoisted[:count]), count) for count in range(1, len(hoisted) + 1)]
        longest = [way for way in ways if _length(way[0]) >= _LEAST][-2 * _MOST :]
        output = bytes_of(self._output)
        known = {
            part: _key(_encoded(part.line), output[part.start : part.end])
            for part in dict.fromkeys(chain.from_iterable(parts for parts, _ in longest))
        }
        place = _key(_encoded("\0".join(where)))
        return [
            _PreambleCandidate(
                parts,
                _key(place, *map(known.__getitem__, parts)),
                parts[len(parts) - count :],
                start,
            )
            for parts, count in reversed(longest)
        ]

    def _hoisted(self, start: int) -> list[PreamblePart]:
        """Return the system headers from an offset on; none for C, whose headers are short."""
        if self._unit.language != "c++":
            return []
        return SystemHeaders(self._preprocessed, self._texts).parts(start)

    def _preambles(self, at: int) -> Iterator[tuple[PreamblePart, ...]]:
        """Yield the parts of preambles that are long enough, each more than the one before.

        The unit's own text begins at the offset `at`.
        """
        for turn in self._turns(at, self._last):
            inner = self._stack[-1]
            if inner.is_plain:
                inner.is_plain = self._is_between(self._output[at : turn.start()])
            if not self._stack[0].is_plain:
                return
            at = turn.end()
            _, name, turns, flags = turn.groups()
            if turns == "1":
                is_plain = inner.is_plain and "3" not in flags
                before = len(self._parts)
                self._stack.append(_EnteredFile(name, turn.start(), before, is_plain))
            elif self._leave(turn) and _length(self._parts) >= _LEAST:
                yield tuple(self._parts)

    def _turns(self, start: int, end: int) -> Iterator[re.Match[str]]:
        """Yield the markers from an offset up to another that enter a file or return to one."""
        turns = self._preprocessed.turns
        for number in range(bisect_left(turns, start), bisect_left(turns, end)):
            turn = TURN.match(self._output, turns[number])
            if turn is not None:
                yield turn

    def _leave(self, turn: re.Match[str]) -> bool:
        """Take a file that ends for a part, if what includes it is plain; return whether it is."""
        if len(self._stack) < 2:
            return False
        outer = self._stack[-2]
        if outer.is_plain:
            start = self._stack[-1].start
            outer.is_plain = is_guarded(self._output, start, self._text())
        inner = self._stack.pop()
        if outer.is_plain:
            part = self._included(int(turn.group(1)) - 1, inner.start, turn.start())
            outer.is_plain = part is not None
            if part is not None:
                self._parts[inner.before :] = [part]
        return outer.is_plain

    def _is_between(self, text: str) -> bool:
        """Return True if text of a file is nothing but macros of the unit's own file, or a guard."""
        if len(self._stack) == 1:
            if not _OF_MAIN.fullmatch(text):
                return False
            self._parts += (PreamblePart(macro.group()) for macro in _MACRO.finditer(text))
            return True
        match = _OF_HEADER.fullmatch(text)
        if match is None or match.group(1) is None:
            return match is not None
        guard = GUARD.match(self._text())
        return guard is not None and guard.group(1) == match.group(1)

    def _text(self) -> str:
        """Return the text of the file that the preprocessor is in, "" for one that cannot be read."""
        path = self._stack[-1].name if len(self._stack) > 1 else main_name(self._unit)
        try:
            return self._texts.source(path).text
        except OSError:
            return ""

    def _included(self, number: int, start: int, end: int) -> PreamblePart | None:
        """Return the header that the file that the preprocessor is in includes on a line; None if the
        directive there is not plain."""
        text, includer = self._text(), self._stack[-1].name
        operand = operand_at(text, number)
        if operand is None:
            return None
        header, at = operand.group(1), operand.start()
        if len(self._stack) == 1:
            includer = main_name(self._unit)
        elif header[0] == '"':
            beside = os.path.join(os.path.dirname(includer), header[1:-1])
            if os.path.isfile(beside):
                header = f'"{os.path.abspath(beside)}"'
        line = f"#include {header}\n"
        is_system = _IN_SYSTEM.match(self._output, start) is not None
        return PreamblePart(line, start, end, includer, number, at, is_system)

    def entered(self, candidate: _PreambleCandidate) -> frozenset[str]:
        """Return the compiler's names of a preamble's files that are not system headers."""
        return frozenset(
            turn.group(2)
            for header in candidate.headers
            for turn in self._turns(header.start, header.end)
            if turn.group(3) == "1" and "3" not in turn.group(4)
        )


def _length(parts: Iterable[PreamblePart]) -> int:
    """Return the length of the parts in the preprocessed text."""
    return sum(part.end - part.start for part in parts)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _key(*parts: bytes) -> bytes:
    digest = blake2b(digest_size=KEY_BYTES)
    for part in parts:
        digest.update(b"%d " % len(part))
        digest.update(part)
    return digest.digest()


def _parse_alone(
    store: PreambleStore,
    unit: Unit,
    chosen: _PreambleCandidate,
    files: frozenset[str],
    preprocessed: Preprocessed,
    texts: UnitTexts,
) -> bool:
    """Parse a preamble and keep the parse.

    Return False if that is impossible, if libclang enters other files than the compiler, if a header
    reads differently in it, or if there is no room. Errors of libclang in system headers of gcc are no
    reason.
    """
    store.begin(chosen.key)
    ahead = replace(unit, text=chosen.text)
    if chosen.hoisted:
        headers = SystemHeaders(preprocessed, texts)
        if headers.names_early(chosen.hoisted, chosen.hoisted_from):
            return False
    try:
        if chosen.hoisted and not _reads_alike(ahead, chosen, preprocessed.text):
            return False
        with store.folder() as folder:
            path = os.path.join(folder, "preamble.pch")
            tree = SyntaxTree(ahead, is_preamble=True)
            entered = {os.path.realpath(way.path) for way in tree.inclusions}
            if entered != set(map(os.path.realpath, files)) or not tree.save(path):
                return False
            listing = json.dumps([_listed(way, tree.main) for way in tree.inclusions])
            return store.keep(chosen.key, path, listing.encode())
    except (UnitError, OSError):
        return False  # the unit's own parse reports what is wrong


def _reads_alike(ahead: Unit, chosen: _PreambleCandidate, output: str) -> bool:
    """Return True if the system headers of a preamble read as in the output of the unit, where text of
    the project stands before them."""
    alone = preprocess(ahead)
    if alone is None:
        return False
    parts = SystemHeaders(alone, UnitTexts(ahead)).parts()[-len(chosen.hoisted) :]
    texts = [_without_counting(alone.text[part.start : part.end]) for part in parts]
    return texts == [_without_counting(output[p.start : p.end]) for p in chosen.hoisted]


def _without_counting(text: str) -> str:
    """Return preprocessed text without the lines that only count lines."""
    return _COUNTING.sub("", text)
