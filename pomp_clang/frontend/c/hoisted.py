"""System headers that a unit includes behind text of its own, which a preamble may have in front.

The first header of a library of templates often holds directives, or begins with macros, so a
preamble ends before it. Most of what follows still comes from system headers. They may stand in
front of the project's text if they read alike there. None of their macros may then come too early:
the project must not test it in a condition, define it or remove it before.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from pomp_clang.frontend.c.parse import UnitTexts
from pomp_clang.frontend.c.preamble_parts import (
    TURN,
    PreamblePart,
    is_guarded,
    is_system,
    operand_at,
)
from pomp_clang.frontend.c.preprocessed import Preprocessed
from pomp_clang.frontend.c.source import SPLICE

_MACRO = re.compile(r"^#(?:define|undef) (\w+)", re.M)
_CONDITION = re.compile(rf"^[ \t]*#[ \t]*(?:el)?if(?:[^\n\\]|{SPLICE}|\\.)*", re.M)
_UNEXPANDED = re.compile(r"^#[^\n]*|\"(?:[^\"\\\n]|\\.)*\"", re.M)
"""Directives and strings of a preprocessed text."""
_WORD = re.compile(r"[A-Za-z_]\w*")


class SystemHeaders:
    """The outermost system headers of a preprocessed unit, in their order.

    A header without an include guard is left out, and so is one that includes the project's headers.
    """

    def __init__(self, preprocessed: Preprocessed, texts: UnitTexts) -> None:
        self._preprocessed = preprocessed
        self._texts = texts

    def _turns(self) -> Iterator[re.Match[str]]:
        output, turns = self._preprocessed.text, self._preprocessed.turns
        if not turns:
            yield from re.finditer(rf"^{TURN.pattern}", output, re.M)
        yield from filter(None, (TURN.match(output, at) for at in turns))

    def _is_system(self, turn: re.Match[str]) -> bool:
        return is_system(turn, self._preprocessed.project_folders)

    def parts(self, first: int = 0) -> list[PreamblePart]:
        """Return the headers from an offset of the output on."""
        parts: list[PreamblePart] = []
        known: set[str] = set()
        stack: list[str] = [self._preprocessed.main]
        depth = 0  # of the outermost system header
        start, is_mixed = 0, False
        for turn in self._turns():
            name = turn.group(2)
            if turn.group(3) == "1":
                stack.append(name)
                if depth:
                    is_mixed = is_mixed or not self._is_system(turn)
                elif self._is_system(turn):
                    depth, start, is_mixed = len(stack), turn.start(), False
                continue
            if len(stack) < 2:
                continue
            if len(stack) == depth:
                depth = 0
                is_new = stack[-1] not in known and start >= first
                known.add(stack[-1])
                if is_new and not is_mixed:
                    parts += self._part(stack, int(turn.group(1)) - 1, start, turn.start())
            stack.pop()
        return parts

    def _part(
        self, stack: Sequence[str], number: int, start: int, end: int
    ) -> Iterator[PreamblePart]:
        """Yield the header that the innermost file is, if a directive `#include <...>` names it."""
        includer, name = stack[-2:]
        if not is_guarded(self._preprocessed.text, start, self._text(name)):
            return
        operand = operand_at(self._text(includer), number)
        if operand is not None and operand.group(1)[0] == "<":
            line = f"#include {operand.group(1)}\n"
            yield PreamblePart(line, start, end, includer, number, operand.start(), True)

    def _text(self, path: str) -> str:
        try:
            return self._texts.source(path).text
        except OSError:
            return ""

    def may_stand_in_front(
        self, parts: Sequence[PreamblePart], start: int, before: frozenset[str]
    ) -> bool:
        """Return True if the project's text, from `start` on, reads alike behind all of these headers.

        The project's headers in `before` stand before these anyway.
        """
        output, starts = self._preprocessed.text, [part.start for part in parts]
        first: dict[str, int] = {}
        last: dict[str, int] = {}
        others: list[tuple[str, int]] = []
        for match in _MACRO.finditer(output, start, parts[-1].end):
            name, at = match.group(1), match.start()
            place = bisect_right(starts, at) - 1
            if place >= 0 and at < parts[place].end:
                first.setdefault(name, at)
                last[name] = at
            else:
                others.append((name, at))
        early = [at for name, at in others if at < last.get(name, 0)]
        if early and not all(map(self._in_system_header, early)):
            return False
        files = {self._preprocessed.main, *(way.path for way in self._preprocessed.inclusions)}
        return not any(self._tests_early(path, first) for path in files - before)

    def names_early(self, parts: Sequence[PreamblePart], start: int) -> bool:
        """Return True if the project's text, from `start` on, names a macro of these headers before the
        compiler defines it: behind them, the macro would replace the name.

        The question takes as long as `may_stand_in_front`, and most units that have the same headers
        have the same text before them.
        """
        output = self._preprocessed.text
        first: dict[str, int] = {}
        for part in parts:
            for match in _MACRO.finditer(output, part.start, part.end):
                first.setdefault(match.group(1), match.start())
        at = start
        for part in parts:
            text = _UNEXPANDED.sub("", output[at : part.start])
            if any(at < first.get(word, 0) for word in set(_WORD.findall(text))):
                return True
            at = part.end
        return False

    def _in_system_header(self, at: int) -> bool:
        """Return True for an offset in any system header: these may be included in any order."""
        turns = self._preprocessed.turns
        turn = TURN.match(self._preprocessed.text, turns[bisect_right(turns, at) - 1])
        return turn is not None and self._is_system(turn)

    def _tests_early(self, path: str, first: dict[str, int]) -> bool:
        """Return True if a condition in a file tests a macro before the compiler defines it."""
        text = self._text(path)
        ends: list[tuple[int, int]] | None = None
        for match in _CONDITION.finditer(text):
            for word in _WORD.findall(match.group()):
                if word not in first:
                    continue
                if ends is None:
                    ends = self._inclusion_ends(path)
                line = text.count("\n", 0, match.start()) + 1
                place = bisect_left(ends, (line + 1, 0)) - 1
                if place < 0 or ends[place][1] < first[word]:
                    return True
        return False

    def _inclusion_ends(self, path: str) -> list[tuple[int, int]]:
        """Return lines of a file's first reading up to which the compiler has read the output up to an
        offset, with these offsets."""
        ends: list[tuple[int, int]] = []
        stack = [self._preprocessed.main]
        depth = 1 if path == self._preprocessed.main else 0
        if depth:
            ends.append((0, 0))
        for turn in self._turns():
            if turn.group(3) == "1":
                stack.append(turn.group(2))
                if not depth and turn.group(2) == path:
                    depth = len(stack)
                    ends.append((0, turn.start()))
            elif len(stack) > 1:
                stack.pop()
                if depth and len(stack) < depth:
                    break
                if len(stack) == depth:
                    ends.append((int(turn.group(1)), turn.start()))
        return ends
