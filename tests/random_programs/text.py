"""The text of a random program as it grows, and where its constructs come to stand."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum


class Spelling(Enum):
    """The ways to write a directive."""

    PRAGMA = "#pragma, one line"
    COMMAS = "commas between the clauses"
    SPACED = "spaces wherever they may stand"
    DIGRAPH = "%: for #"
    COMMENTED = "comments within"
    TRAILED = "a comment behind"
    LONG_COMMENT = "a comment of several lines within"
    SPLICED = "a line for each clause"
    SPLICED_WORDS = "line splices between the words"
    OPERATOR = "_Pragma"
    SPREAD_OPERATOR = "_Pragma over several lines"
    MACRO = "a macro whose argument it is"
    ATTRIBUTE = "[[omp::directive]]"
    SEQUENCE = "[[omp::sequence]]"


OPERATORS = (Spelling.OPERATOR, Spelling.SPREAD_OPERATOR)
INLINE = (*OPERATORS, Spelling.MACRO, Spelling.ATTRIBUTE, Spelling.SEQUENCE)
ATTRIBUTES = (Spelling.ATTRIBUTE, Spelling.SEQUENCE)


@dataclass(frozen=True, slots=True)
class Directive:
    """A directive: `omp parallel for`, its clauses, how it is written; `kind` is what it
    is if its words do not tell."""

    words: str
    clauses: tuple[str, ...] = ()
    spelling: Spelling = Spelling.PRAGMA
    named: str = ""

    @property
    def kind(self) -> str:
        """Its words without the sentinel."""
        return self.named or self.words.split(maxsplit=1)[1].split("(")[0].strip()

    @property
    def is_attribute(self) -> bool:
        return self.spelling in ATTRIBUTES

    def lines(self) -> list[str]:
        """Return its text."""
        rest = " ".join(self.clauses)
        sentinel, words = self.words.split(maxsplit=1)
        pattern = _PATTERNS.get(self.spelling, "#pragma {sentinel} {words} {rest}")
        if self.spelling is Spelling.COMMAS:
            rest = ", ".join(self.clauses)
        elif self.spelling is Spelling.SPLICED:
            rest = " \\\n".join(self.clauses) or "/* nothing */"
        elif self.spelling is Spelling.SPLICED_WORDS:
            rest = rest or "/* nothing */"
        text = pattern.format(sentinel=sentinel, words=words, rest=rest)
        return [line if line.endswith("\\") else line.rstrip() for line in text.split("\n")]


_PATTERNS = {
    Spelling.SPACED: "#  pragma   {sentinel}\t{words}   {rest}",
    Spelling.DIGRAPH: "%:pragma {sentinel} {words} {rest}",
    Spelling.COMMENTED: "#pragma /* a */ {sentinel} /* omp barrier */ {words} /* ) */ {rest}",
    Spelling.TRAILED: "#pragma {sentinel} {words} {rest} // behind: ( {{",
    Spelling.LONG_COMMENT: "#pragma {sentinel} /* over\n#pragma omp barrier */ {words} {rest}",
    Spelling.SPLICED: "#pragma {sentinel} {words} \\\n{rest}",
    Spelling.SPLICED_WORDS: "#pragma \\\n{sentinel}\\\n {words} \\\n {rest}",
    Spelling.OPERATOR: '_Pragma("{sentinel} {words} {rest}")',
    Spelling.MACRO: "OMP({words} {rest})",
    Spelling.ATTRIBUTE: "[[omp::directive({words} {rest})]]",
    Spelling.SEQUENCE: "[[omp::sequence(directive({words} {rest}))]]",
    Spelling.SPREAD_OPERATOR: '_Pragma(\n"{sentinel} {words} {rest}" /* as a\nstring */ )',
}


@dataclass(frozen=True, slots=True)
class Spot:
    """A line and a column of the text, both from 1."""

    line: int
    column: int


@dataclass(slots=True)
class Placed:
    """A construct of the text: instrumented unless it stands in a `silenced` stretch, or
    there is a reason."""

    key: int
    kind: str
    begin: Spot
    begin_last: int
    end_first: int
    end_last: int
    silenced: bool
    reason: str
    file: str
    in_macro: bool = False

    @property
    def instrumented(self) -> bool:
        return not self.silenced and not self.reason

    @property
    def state(self) -> str:
        """As `pomp-clang list` has it."""
        if self.silenced:
            return "noinstrument"
        return "not instrumented" if self.reason else "instrumented"


MAKING = ("_Pragma(", "OMP(", "[[omp", "omp_set_", "omp_unset_", "omp_test_")
"""Texts in a macro's arguments that make pomp-clang expand the macro."""


class Text:
    """Lines of text; `dense` is how likely things share a line where they may."""

    def __init__(self, seed: int, dense: float = 0.0, file: str = "") -> None:
        self.file = file
        self.placed: list[Placed] = []
        self._random = random.Random(seed)
        self._dense = dense
        self._lines = [""]
        self._depth = 0
        self._dead = 0
        self._silenced = 0
        self._opaque = 0
        self._macro = 0
        self._last = 1

    def __str__(self) -> str:
        return "\n".join(self._lines) + "\n"

    def put(self, text: str) -> Spot:
        """Append words to the line; returns where they begin."""
        spot = self._append(text)
        if not self._dead:
            self._last = len(self._lines)
        return spot

    def _append(self, text: str) -> Spot:
        line = self._lines[-1]
        line = f"{line} " if line else "  " * self._depth
        spot = Spot(len(self._lines), len(line) + 1)
        first, *more = (line + text).split("\n")
        self._lines[-1] = first
        self._lines += more
        return spot

    def line(self) -> None:
        """Begin a new line unless this one is empty."""
        if self._lines[-1]:
            self._lines.append("")

    def gap(self) -> None:
        """Write a place where a line may end, or a comment stand."""
        if self._random.random() < self._dense:
            return
        if self._random.random() < 0.06:
            self._append(self._random.choice(("// beside }", "/* { */", '/* " */', "// '")))
        self.line()

    def preprocessor(self, *lines: str) -> Spot:
        """Write lines of their own."""
        self.line()
        indent = self._random.choice(("", "  " * self._depth))
        spot = Spot(len(self._lines), len(indent) + 1)
        self._lines[-1:] = [indent + lines[0], *lines[1:], ""]
        return spot

    def directive(self, directive: Directive) -> tuple[Spot, int]:
        """Write a directive; return where it begins and its last line."""
        if self._macro and directive.spelling not in INLINE:
            directive = replace(directive, spelling=Spelling.OPERATOR)
        lines = directive.lines()
        if directive.spelling in INLINE:
            spot = self.put("\n".join(lines))
            return spot, len(self._lines)
        spot = self.preprocessor(*lines)
        last = spot.line + len(lines) - 1
        if not self._dead:
            self._last = last
        return spot, last

    @contextmanager
    def deeper(self) -> Iterator[None]:
        self._depth += 1
        yield
        self._depth -= 1

    @contextmanager
    def dead(self) -> Iterator[None]:
        """Keep text written in the `with` block out of the program."""
        self._dead += 1
        yield
        self._dead -= 1

    @contextmanager
    def silenced(self) -> Iterator[None]:
        """Mark text written in the `with` block as not instrumented."""
        self._silenced += 1
        yield
        self._silenced -= 1

    @contextmanager
    def arguments(self) -> Iterator[None]:
        """Write the text of the `with` block as arguments of the macro named last.  With a
        directive among them all stands on the line of its name.
        """
        outermost, first = not self._macro, len(self.placed)
        self._macro = self._macro or len(self._lines)
        yield
        if not outermost:
            return
        line, self._macro = self._macro, 0
        text = "\n".join(self._lines[line - 1 :])
        if self._dead or not any(word in text for word in MAKING):
            return
        self._last = line
        for placed in self.placed[first:]:
            placed.begin, placed.begin_last, placed.in_macro = Spot(line, 0), line, True

    @property
    def in_macro(self) -> bool:
        """Return whether text goes into a macro, where no line may begin with #."""
        return self._macro > 0

    @contextmanager
    def opaque(self) -> Iterator[None]:
        """Mark text written in the `with` block as text in which no call may stand."""
        self._opaque += 1
        yield
        self._opaque -= 1

    def place(self, key: int, kind: str, begin: Spot, last: int) -> Placed:
        """Note a construct; its end is set when it has been written."""
        silenced = self._silenced > 0
        reason = "no-call" if self._opaque and not silenced else ""
        placed = Placed(key, kind, begin, last, last, last, silenced, reason, self.file)
        if not self._dead:
            self.placed.append(placed)
        return placed

    def ended(self, placed: Placed) -> None:
        """End the construct with the text written last."""
        placed.end_first = placed.end_last = self._last
