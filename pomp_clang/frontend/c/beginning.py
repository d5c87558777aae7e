"""The beginnings of a unit that a preamble may have: whole headers, and macros before them.

A header has a guard, unless the source is C and includes it: no unit reads it again then.
"""

from __future__ import annotations

import os
import re
from _blake2 import blake2b
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import chain

from pomp_clang.frontend.c.bodiless import BodilessHeaders, bodiless_headers
from pomp_clang.frontend.c.hoisted import SystemHeaders
from pomp_clang.frontend.c.parse import UnitTexts, main_name
from pomp_clang.frontend.c.preamble_parts import (
    GUARD,
    NAME,
    TURN,
    PreamblePart,
    from_elsewhere,
    is_guarded,
    is_system,
    operand_at,
)
from pomp_clang.frontend.c.preamble_store import KEY_BYTES
from pomp_clang.frontend.c.preprocessed import Preprocessed
from pomp_clang.frontend.constructs import SharedBeginning
from pomp_clang.frontend.inclusion import folders, without_folders
from pomp_clang.frontend.source import bytes_of
from pomp_clang.frontend.unit import Unit
from pomp_clang.record import record

LEAST = 50_000
"""Characters of preprocessed text: fewer are parsed as fast as a precompiled header is read."""
_MOST = 12
"""Preambles of a unit that are looked up."""

_MAIN = re.compile(rf"# [01] {NAME}")
_PLAIN_LINE = r"[ \t]*\n|# \d+ [^\n]*\n|#pragma once\n"
_OF_HEADER = re.compile(rf"(?:{_PLAIN_LINE})*(?:#define (\w+)(?: 1)?[ \t]*\n(?:{_PLAIN_LINE})*)?")
"""What may stand in a header before an #include: one macro, which has to be its guard."""
_OF_MAIN = re.compile(rf"(?:{_PLAIN_LINE}|#(?:define|undef) [^\n]*\n)*")
_MACRO = re.compile(r"^#(?:define|undef) [^\n]*\n", re.M)


@record
class PreambleCandidate:
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

    `is_plain` is true as long as nothing stands in it but whole headers, and macros before them.
    """

    def __init__(self, name: str, start: int, before: int, is_plain: bool) -> None:
        self.name = name
        self.start = start
        self.before = before
        self.is_plain = is_plain


class UnitBeginning:
    """The beginning of a unit's preprocessed text, as far as it consists of whole headers.

    `is_inside` tells of a header if it is known to be included inside a declaration.
    """

    def __init__(
        self,
        unit: Unit,
        texts: UnitTexts,
        preprocessed: Preprocessed,
        bodiless: BodilessHeaders,
        is_inside: Callable[[str], bool],
    ) -> None:
        self.unit = unit
        self.texts = texts
        self.preprocessed = preprocessed
        self.bodiless = bodiless
        self._is_inside = is_inside
        self._output = preprocessed.text
        if unit.language != "c++" and not unit.functions:
            bodiless = bodiless_headers(preprocessed, ())
        self.searched = frozenset(way.path for way in preprocessed.inclusions) - bodiless.paths
        """The project's headers that may hold constructs, or functions that are measured, and those
        that include them."""
        self._parts: list[PreamblePart] = []
        self._stack: list[_EnteredFile] = []

    @cached_property
    def shared(self) -> list[SharedBeginning]:
        """The beginnings that are long enough, the longest first."""
        return [
            SharedBeginning(candidate.text, length(candidate.parts), candidate.key)
            for candidate in self.candidates
            if not candidate.hoisted
        ]

    @cached_property
    def candidates(self) -> list[PreambleCandidate]:
        """The preambles that are long enough, the one with the most headers first."""
        main = _MAIN.match(self._output)
        begin = main and re.search(rf'\n# 1 "{re.escape(main.group(1))}"(?: 2)?\n', self._output)
        if not main or not begin:
            return []
        before = self._output[: begin.start()].replace(f'"{main.group(1)}"', '""')
        where = (
            self.unit.libclang,
            self.unit.language,
            os.getcwd() if self._depends_on_folder() else "",
            # Which folders are searched shows in the names of the headers.
            *without_folders(self.unit.arguments),
            "",
            *self.preprocessed.project_folders,
            before,
        )
        self._stack = [_EnteredFile(main.group(1), begin.end(), 0, True)]
        plain = list(deque(self._preambles(begin.end()), _MOST))
        last = plain[-1] if plain else ()
        start = max((part.end for part in last), default=begin.end())
        hoisted = self._hoisted(start)
        ways = [(parts, 0) for parts in plain]
        ways += [((*last, *hoisted[:count]), count) for count in range(1, len(hoisted) + 1)]
        longest = [way for way in ways if length(way[0]) >= LEAST][-2 * _MOST :]
        output = bytes_of(self._output)
        searched = self._searched_in(dict.fromkeys(chain.from_iterable(p for p, _ in longest)))
        known = {
            part: _key(_encoded(part.line), output[part.start : part.end], *names)
            for part, names in searched.items()
        }
        place = _key(_encoded("\0".join(where)))
        return [
            PreambleCandidate(
                parts,
                _key(place, *map(known.__getitem__, parts)),
                parts[len(parts) - count :],
                start,
            )
            for parts, count in reversed(longest)
            if not any(p.is_renamed for p in parts) or not any(map(searched.get, parts))
        ]

    def _depends_on_folder(self) -> bool:
        """Return True if the working folder may decide which headers are found."""
        names = (way.path for way in self.preprocessed.inclusions)
        return not all(map(os.path.isabs, (*names, *folders(self.unit.arguments))))

    def _hoisted(self, start: int) -> list[PreamblePart]:
        """Return the system headers from an offset on; none for C, whose headers are short."""
        if self.unit.language != "c++":
            return []
        return SystemHeaders(self.preprocessed, self.texts).parts(start)

    def _preambles(self, at: int) -> Iterator[tuple[PreamblePart, ...]]:
        """Yield the parts of preambles that are long enough, each more than the one before.

        The unit's own text begins at the offset `at`. A header that may hold constructs inside a
        declaration is in none of them.
        """
        for turn in self._turns(at, len(self._output)):
            inner = self._stack[-1]
            if inner.is_plain:
                inner.is_plain = self._is_between(self._output[at : turn.start()])
            if not self._stack[0].is_plain:
                return
            at = turn.end()
            _, name, turns, flags = turn.groups()
            if turns == "1":
                if name in self.searched and self._is_inside(name):
                    return
                is_plain = inner.is_plain and "3" not in flags
                before = len(self._parts)
                self._stack.append(_EnteredFile(name, turn.start(), before, is_plain))
            elif self._leave(turn) and length(self._parts) >= LEAST:
                yield tuple(self._parts)

    def _turns(self, start: int, end: int) -> Iterator[re.Match[str]]:
        """Yield the markers from an offset up to another that enter a file or return to one."""
        turns = self.preprocessed.turns
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
            outer.is_plain = is_guarded(self._output, start, self._text()) or self._is_replaced(
                start, turn.start()
            )
        inner = self._stack.pop()
        if outer.is_plain:
            part = self._included(int(turn.group(1)) - 1, inner.start, turn.start())
            outer.is_plain = part is not None
            if part is not None:
                self._parts[inner.before :] = [part]
        return outer.is_plain

    def _is_replaced(self, start: int, end: int) -> bool:
        """Return True if a C source itself includes the text from `start` to `end`, and nothing in
        it may hold constructs: a preamble then replaces the directive."""
        is_of_source = len(self._stack) == 2 and self.unit.language != "c++"
        return is_of_source and not any(start <= at < end for at, _ in self._searched_begins)

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
        path = self._stack[-1].name if len(self._stack) > 1 else main_name(self.unit)
        try:
            return self.texts.source(path).text
        except OSError:
            return ""

    def _included(self, number: int, start: int, end: int) -> PreamblePart | None:
        """Return the header that the file that the preprocessor is in includes on a line; None if the
        directive there is not plain."""
        text, includer = self._text(), self._stack[-1].name
        operand = operand_at(text, number)
        if operand is None:
            return None
        is_main = len(self._stack) == 1
        if is_main:
            includer = main_name(self.unit)
        header = from_elsewhere(operand.group(1), os.path.dirname(includer), is_main)
        if header is None:
            return None
        at, is_renamed = operand.start(), False
        if not is_main and header != operand.group(1):
            is_renamed = not os.path.isabs(os.path.dirname(includer))
        line = f"#include {header}\n"
        turn = TURN.match(self._output, start)
        return PreamblePart(
            line,
            start,
            end,
            includer,
            number,
            at,
            turn is not None and self._is_system(turn),
            is_renamed,
        )

    def _searched_in(self, parts: Iterable[PreamblePart]) -> dict[PreamblePart, list[bytes]]:
        """Return the names of the files in each part that are searched for constructs."""
        begins = self._searched_begins
        return {
            part: [name for at, name in begins if part.start <= at < part.end] for part in parts
        }

    @cached_property
    def _searched_begins(self) -> list[tuple[int, bytes]]:
        """The offsets at which files that are searched are entered, with their names."""
        turns = self._turns(0, len(self._output)) if self.searched else ()
        return [
            (turn.start(), _encoded(turn.group(2)))
            for turn in turns
            if turn.group(3) == "1" and turn.group(2) in self.searched
        ]

    def entered(self, candidate: PreambleCandidate) -> frozenset[str]:
        """Return the compiler's names of a preamble's files that are not system headers."""
        return frozenset(
            turn.group(2)
            for header in candidate.headers
            for turn in self._turns(header.start, header.end)
            if turn.group(3) == "1" and not self._is_system(turn)
        )

    def _is_system(self, turn: re.Match[str]) -> bool:
        return is_system(turn, self.preprocessed.project_folders)


def key_of_file(path: str) -> bytes:
    """Return the key of a header as a whole, whatever it is in."""
    return _key(b"file", _encoded(path))


def length(parts: Iterable[PreamblePart]) -> int:
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
