"""Headers with which many units of a project begin, parsed once for all of them.

Most of a file's parse is that of its headers, and the sources of a project often begin with the
same one, directly or in a header of their own. So the processes of a compile server share the parse
of such a beginning, which LLVM calls a preamble: a precompiled header, which libclang reads in a
tenth of the time. In C++ it has no bodies of functions; with these, libclang would make the bodies
of their templates again for each unit. In the unit's own parse, include guards then leave out the headers.

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
from collections.abc import Iterator, Sequence
from itertools import chain

from pomp_clang.frontend.c.parse import Preamble, UnitTexts, main_name
from pomp_clang.frontend.c.preamble_store import KEY_BYTES, PreambleStore
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

_NOT_WITH = ("-include", "-imacros", "-fmodule", "-fcxx-modules", "-working-directory")

_NAME = r'"((?:[^"\\\n]|\\.)*)"'
_TURN = re.compile(rf"# (\d+) {_NAME} ([12])((?: [34])*)\n")
"""A marker that enters a file or returns to one."""
_IN_SYSTEM = re.compile(rf"# \d+ {_NAME} 1 3")
_MAIN = re.compile(rf"# [01] {_NAME}")
_PLAIN_LINE = r"[ \t]*\n|# \d+ [^\n]*\n|#pragma once\n"
_BEGINS_WITH_MACRO = re.compile(
    rf"[^\n]*\n(?:[ \t]*\n|# \d+ {_NAME}(?: [34])*\n)*#define \w+(?: 1)?[ \t]*\n"
)
_OF_HEADER = re.compile(rf"(?:{_PLAIN_LINE})*(?:#define (\w+)(?: 1)?[ \t]*\n(?:{_PLAIN_LINE})*)?")
"""What may stand in a header before an #include: one macro, which has to be its guard."""
_OF_MAIN = re.compile(rf"(?:{_PLAIN_LINE}|#(?:define|undef) [^\n]*\n)*")
_MACRO = re.compile(r"^#(?:define|undef) [^\n]*\n", re.M)
_OPERAND = re.compile(r"[ \t]*#[ \t]*include[ \t]*(\"[^\"\n]+\"|<[^>\n]+>)")
_COMMENTS = r"(?:\s|//[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*"
_GUARD = re.compile(
    _COMMENTS + r"#[ \t]*(?:pragma[ \t]+once\b|(?:ifndef|if[ \t]+![ \t]*defined)[ \t(]+(\w+))"
)
"""The begin of a header that has no effect when it is read again, as far as can be seen."""


def shared_preamble(
    store: PreambleStore, unit: Unit, texts: UnitTexts, preprocessed: Preprocessed
) -> Preamble | None:
    """Return the preamble that the unit has with others, parsed; None if there is none."""
    if unit.path == "-" or unit.offloads:
        return None
    if any(word.startswith(_NOT_WITH) for word in unit.arguments):
        return None
    beginning = _Beginning(unit, texts, preprocessed)
    candidates = beginning.candidates()
    if unit.functions:  # those of the project's headers are measured
        candidates = [c for c in candidates if all(header.is_system for header in c.headers)]
    choice = store.choose([candidate.key for candidate in candidates])
    if choice is None:
        return None
    place, is_new = choice
    chosen = candidates[place]
    entered = beginning.entered(chosen)
    if not entered.isdisjoint(preprocessed.files) or (unit.functions and entered):
        return None
    if is_new and not _parse_alone(store, unit, chosen, entered):
        return None
    kept = store.parsed(chosen.key)
    if kept is None:
        return None
    path, listing = kept
    inclusions = tuple(_inclusions(json.loads(listing), chosen.headers))
    outermost = tuple(preprocessed.text[h.start : h.end].split('"')[1] for h in chosen.headers)
    return Preamble(path, chosen.key, inclusions, outermost)


def _listed(way: Inclusion, main: str) -> tuple[str, str | None, int, int, int]:
    """Return an inclusion for the listing, with None for the text of the preamble."""
    includer = None if way.includer == main else way.includer
    return way.path, includer, way.line, way.offset, way.reading


def _inclusions(
    listing: list[tuple[str, str | None, int, int, int]], headers: Sequence[_BeginningPart]
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
class _BeginningPart:
    """A part of a unit's beginning: `line` is the directive for it in the text of a preamble.

    A header stands with all that it includes from `start` to `end` in the preprocessed text; the
    file `includer` includes it, on the line `number`, at an offset. Of a macro only `line` counts.
    """

    line: str
    start: int = 0
    end: int = 0
    includer: str = ""
    number: int = 0
    offset: int = 0
    is_system: bool = False


@record
class _PreambleCandidate:
    """Headers that may be parsed ahead, in parts, and a key for what they are."""

    parts: tuple[_BeginningPart, ...]
    key: bytes

    @property
    def text(self) -> str:
        """A source that consists of the parts."""
        return "".join(part.line for part in self.parts)

    @property
    def headers(self) -> list[_BeginningPart]:
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
        self._parts: list[_BeginningPart] = []
        self._stack: list[_EnteredFile] = []
        self._starts: dict[str, list[int]] = {}
        """The offsets at which the lines of open files begin."""

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
        longest = deque(self._preambles(begin.end()), _MOST)
        output = bytes_of(self._output)
        known = {
            part: _key(_encoded(part.line), output[part.start : part.end])
            for part in dict.fromkeys(chain.from_iterable(longest))
        }
        place = _key(_encoded("\0".join(where)))
        return [
            _PreambleCandidate(parts, _key(place, *map(known.__getitem__, parts)))
            for parts in reversed(longest)
        ]

    def _preambles(self, at: int) -> Iterator[tuple[_BeginningPart, ...]]:
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
            elif self._leave(turn) and sum(p.end - p.start for p in self._parts) >= _LEAST:
                yield tuple(self._parts)

    def _turns(self, start: int, end: int) -> Iterator[re.Match[str]]:
        """Yield the markers from an offset up to another that enter a file or return to one."""
        turns = self._preprocessed.turns
        for number in range(bisect_left(turns, start), bisect_left(turns, end)):
            turn = _TURN.match(self._output, turns[number])
            if turn is not None:
                yield turn

    def _leave(self, turn: re.Match[str]) -> bool:
        """Take a file that ends for a part, if what includes it is plain; return whether it is."""
        if len(self._stack) < 2:
            return False
        outer = self._stack[-2]
        if outer.is_plain:
            outer.is_plain = self._is_guarded()
        inner = self._stack.pop()
        if outer.is_plain:
            part = self._included(int(turn.group(1)) - 1, inner.start, turn.start())
            outer.is_plain = part is not None
            if part is not None:
                self._parts[inner.before :] = [part]
        return outer.is_plain

    def _is_guarded(self) -> bool:
        """Return True if the file that the preprocessor is in seems to have an include guard.

        A macro at its begin most probably is one.
        """
        begins = _BEGINS_WITH_MACRO.match(self._output, self._stack[-1].start)
        return begins is not None or _GUARD.match(self._text()) is not None

    def _is_between(self, text: str) -> bool:
        """Return True if text of a file is nothing but macros of the unit's own file, or a guard."""
        if len(self._stack) == 1:
            if not _OF_MAIN.fullmatch(text):
                return False
            self._parts += (_BeginningPart(macro.group()) for macro in _MACRO.finditer(text))
            return True
        match = _OF_HEADER.fullmatch(text)
        if match is None or match.group(1) is None:
            return match is not None
        guard = _GUARD.match(self._text())
        return guard is not None and guard.group(1) == match.group(1)

    def _text(self) -> str:
        """Return the text of the file that the preprocessor is in, "" for one that cannot be read."""
        path = self._stack[-1].name if len(self._stack) > 1 else main_name(self._unit)
        try:
            return self._texts.source(path).text
        except OSError:
            return ""

    def _included(self, number: int, start: int, end: int) -> _BeginningPart | None:
        """Return the header that the file that the preprocessor is in includes on a line; None if the
        directive there is not plain."""
        text, includer = self._text(), self._stack[-1].name
        if includer not in self._starts:
            self._starts[includer] = [0, *(match.end() for match in re.finditer("\n", text))]
        starts = self._starts[includer]
        operand = _OPERAND.match(text, starts[number - 1]) if number <= len(starts) else None
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
        return _BeginningPart(line, start, end, includer, number, at, is_system)

    def entered(self, candidate: _PreambleCandidate) -> frozenset[str]:
        """Return the compiler's names of a preamble's files that are not system headers."""
        return frozenset(
            turn.group(2)
            for header in candidate.headers
            for turn in self._turns(header.start, header.end)
            if turn.group(3) == "1" and "3" not in turn.group(4)
        )


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _key(*parts: bytes) -> bytes:
    digest = blake2b(digest_size=KEY_BYTES)
    for part in parts:
        digest.update(b"%d " % len(part))
        digest.update(part)
    return digest.digest()


def _parse_alone(
    store: PreambleStore, unit: Unit, chosen: _PreambleCandidate, files: frozenset[str]
) -> bool:
    """Parse a preamble and keep the parse.

    Return False if that is impossible, if libclang enters other files than the compiler, or if there
    is no room. Errors of libclang in system headers of gcc are no reason.
    """
    store.begin(chosen.key)
    try:
        with store.folder() as folder:
            path = os.path.join(folder, "preamble.pch")
            tree = SyntaxTree(replace(unit, text=chosen.text), is_preamble=True)
            entered = {os.path.realpath(way.path) for way in tree.inclusions}
            if entered == set(map(os.path.realpath, files)) and tree.save(path):
                listing = json.dumps(
                    [
                        (way.path, way.includer, way.line, way.offset, way.reading)
                        for way in tree.inclusions
                    ]
                )
                if store.keep(chosen.key, path, listing.encode()):
                    return True
    except (UnitError, OSError):
        pass  # the unit's own parse reports what is wrong
    store.give_up(chosen.key)
    return False
