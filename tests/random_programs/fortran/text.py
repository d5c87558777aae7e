"""The text of a random Fortran program, in fixed or free form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.random_programs.text import Directive, Spelling, Spot, Text

COLUMNS = 72
JOINED = re.compile(
    r"\b(end|parallel) (?=(?:parallel|do|sections|single|critical|master|task|atomic|ordered)\b)"
)
"""Words between which the blank may be left out (OpenMP 5.2, section 5.1)."""
ALONE = re.compile(
    r"(end )?(program|module|submodule|subroutine|function|interface)\b|end$|contains$|recursive"
    r"|include\b|integer function"
)
"""Statements that have a line of their own: flang continues no END of a program unit."""
COMMENT = "! it's no !$omp barrier"


@dataclass(frozen=True, slots=True)
class Form:
    """How the text of a file is written: fixed or free, and whether it is preprocessed."""

    fixed: bool
    preprocessed: bool = False
    tabs: bool = False
    crlf: bool = False

    @property
    def ending(self) -> str:
        ending = "f" if self.fixed else "f90"
        return ending.upper() if self.preprocessed else ending


class FortranText(Text):
    """Lines of Fortran. `put` writes one statement, after a `;` now and then."""

    def __init__(
        self, seed: int, dense: float, file: str, form: Form, breaks: float = 0.03
    ) -> None:
        super().__init__(seed, dense, file)
        self._breaks = breaks
        self.form = form
        self.included: list[FortranText] = []
        self._seed = seed
        self.unended = ""
        """the kind of a construct that has just ended without an END directive"""
        self._label = ""
        self._open = False

    def __str__(self) -> str:
        text = super().__str__()
        return text.replace("\n", "\r\n") if self.form.crlf else text

    def put(self, text: str, *more: str) -> Spot:
        """Write a statement, return where it begins; a line may end within the part behind `text`."""
        line = "".join((text, *more))
        if more and not self._label and self._random.random() < 6 * self._breaks:
            at = len(text) + self._random.randint(1, len(more[0]) - 1)
            start = self._start("")
            self._open, self.unended = False, ""
            glue = "\n     &" if self.form.fixed else "&\n  &"
            lines = f"{start}{line[:at]}{glue}{line[at:]}".split("\n")
            return self._kept(self._written(lines, len(start)))
        text = line
        self.unended = ""
        alone = ALONE.match(text) is not None
        together = self._open and not self._label and self._random.random() < self._dense
        together = together and not alone
        self._open = not alone
        if together and _width(self._lines[-2]) + len(text) < COLUMNS - 2:
            before = self._lines[-2]
            self._lines[-2] = f"{before}; {text}"
            return self._kept(Spot(len(self._lines) - 1, len(before) + 3))
        start = self._start(self._label)
        fits = _width(start) + len(text) + 3 < COLUMNS and not alone
        if not self._label and fits and self._random.random() < 0.03:
            return self._kept(self._written(*self._conditional(start, text)))
        self._label = ""
        lines = self._broken(start, text)
        return self._kept(self._written(lines, len(start)))

    def put_all(self, texts: Iterable[str]) -> None:
        """Write statements."""
        for text in texts:
            self.put(text)

    def position(self, part: str) -> tuple[Spot, int]:
        """Return where a part of the statement written last begins, and the line where it ends.

        Only blanks of its own, continuation marks and comments stand within it.
        """
        text = "\n".join(self._lines)
        between = rf"(?:\s|&|{re.escape(COMMENT)}|\n {{5}}[&1+])*"
        pattern = between.join(re.escape(c) for c in part if c != " ")
        match = list(re.finditer(pattern, text))[-1]
        before = text[: match.start()]
        line = before.count("\n") + 1
        return Spot(line, match.start() - before.rfind("\n")), line + match.group().count("\n")

    def label(self, number: int) -> None:
        """Give the next statement a label."""
        self._label = str(number)

    def line(self) -> None:
        """Do nothing: a statement is a line of its own."""

    def gap(self) -> None:
        """Write a comment or an empty line now and then."""
        if self._random.random() < 0.06:
            mark = self._random.choice("cC*!") if self.form.fixed else "  !"
            self._written([self._random.choice((f"{mark} beside; end if", "", f"{mark} '"))], 0)
            self._open = False

    def preprocessor(self, *lines: str) -> Spot:
        """Write lines of their own, from their first columns."""
        self._open = False
        return self._written(list(lines), 0)

    def directive(self, directive: Directive) -> tuple[Spot, int]:
        """Write a directive; return where it begins and its last line."""
        if self.unended and directive.kind == f"end {self.unended}":
            self.put("continue")  # the END directive is that of a construct further out
        self.unended = ""
        self._open = False
        if directive.spelling is Spelling.MACRO:
            spot = self._kept(self.preprocessor(directive.words))
            return spot, spot.line
        start, lines = self._directive_lines(directive)
        spot = self._written(lines, start)
        last = spot.line + len(lines) - 1
        self._kept(Spot(last, 1))
        return spot, last

    @contextmanager
    def include(self, file: str, by_cpp: bool) -> Iterator[FortranText]:
        """Write the text of the `with` block into a file that an INCLUDE line names, or #include."""
        file = f"{self.file.split('.')[0]}_{file}"
        if by_cpp:
            self.preprocessor(f'#include "{file}"')
        else:
            self.put(f"include '{file}'")
        self._open = False
        other = FortranText(self._seed, self._dense, file, self.form, self._breaks)
        other._dead, other._silenced, other._opaque = self._dead, self._silenced, self._opaque
        self.included.append(other)
        yield other

    def files(self) -> Iterator[FortranText]:
        """Yield this text and those that it includes."""
        yield self
        for text in self.included:
            yield from text.files()

    def _kept(self, spot: Spot) -> Spot:
        if not self._dead:
            self._last = len(self._lines) - 1
        return spot

    def _written(self, lines: list[str], start: int) -> Spot:
        spot = Spot(len(self._lines), start + 1)
        self._lines[-1:] = [*lines, ""]
        return spot

    def _conditional(self, start: str, text: str) -> tuple[list[str], int]:
        """Return a statement's line behind the sentinel of conditional compilation."""
        start = f"!$    {start[6:].lstrip()}" if self.form.fixed else f"{start}!$ "
        return [start + text], len(start)

    def _start(self, label: str) -> str:
        if self.form.fixed and self.form.tabs and self._random.random() < 0.3:
            return f"{label}\t"
        if self.form.fixed:
            return f"{label:<5} " + "  " * min(self._depth, 4)
        return f"{label} " if label else "  " * min(self._depth, 10)

    def _broken(self, start: str, text: str) -> list[str]:
        """Return the lines of a statement: continued where it is too long, or at random."""
        if ALONE.match(text):
            return [start + text]
        parts = self._parts(text, COLUMNS - _width(start) - 2)
        lines = [start + parts[0]]
        for part in parts[1:]:
            if self.form.fixed:
                lines.append(f"     {self._random.choice('&1+')}{part}")
            else:
                lines[-1] += f" &{self._random.choice(('', '', ' ' + COMMENT))}"
                lines.append(f"      {self._random.choice(('', '& '))}{part}")
        return lines

    def _parts(self, text: str, width: int) -> list[str]:
        """Return the pieces of a statement, broken at blanks."""
        parts = [""]
        quoted = False
        for word in text.split(" "):
            longer = f"{parts[-1]} {word}" if parts[-1] else word
            random = len(parts) < 3 and self._random.random() < self._breaks
            if parts[-1] and not quoted and (len(longer) > width or random):
                parts.append(word)
            else:
                parts[-1] = longer
            quoted ^= word.count("'") % 2 == 1
        return parts

    def _directive_lines(self, directive: Directive) -> tuple[int, list[str]]:
        """Return the column before a directive's first line, and its lines."""
        sentinel, words = directive.words.split(maxsplit=1)
        comma = ", " if directive.spelling is Spelling.COMMAS else " "
        if directive.spelling is Spelling.SPACED:
            words = JOINED.sub(r"\1", words)
        elif directive.spelling is Spelling.DIGRAPH:
            sentinel, words = sentinel.upper(), words.upper()
        clauses = list(directive.clauses)
        breaks = directive.spelling in (Spelling.SPLICED, Spelling.SPLICED_WORDS)
        start = "!$" if not self.form.fixed else self._random.choice(("!$", "c$", "*$", "C$"))
        indent = "" if self.form.fixed else "  " * min(self._depth, 10)
        first = f"{indent}{start}{sentinel} {words}"
        lines = [first]
        for number, clause in enumerate(clauses):
            glue = comma if number else " "
            if breaks or len(lines[-1]) + len(glue) + len(clause) > COLUMNS - 3:
                lines = self._continued(lines, f"{indent}{start}{sentinel}", glue.strip(), clause)
            else:
                lines[-1] += glue + clause
        if directive.spelling is Spelling.TRAILED and len(lines[-1]) + len(COMMENT) < COLUMNS:
            lines[-1] += f" {COMMENT}"
        return len(indent), lines

    def _continued(self, lines: list[str], start: str, comma: str, clause: str) -> list[str]:
        between: list[str] = []
        if self._random.random() < 0.2:
            between = [self._random.choice(("", "!" if self.form.fixed else f"  {COMMENT}"))]
        if self.form.fixed:
            return [*lines[:-1], lines[-1] + comma, *between, *self._in_columns(start, clause)]
        mark = self._random.choice(("&", " ", "& "))
        return [*lines[:-1], f"{lines[-1]}{comma} &", *between, f"{start}{mark}{clause}"]

    def _in_columns(self, start: str, clause: str) -> list[str]:
        """Return the lines of a clause in fixed form, broken behind commas where it is too long."""
        lines = [f"{start}& "]
        for item in re.findall(r"[^,]*,? ?", clause):
            if len(lines[-1]) + len(item) > COLUMNS:
                lines.append(f"{start}& ")
            lines[-1] += item
        return lines


def _width(line: str) -> int:
    """Return the number of columns that a line has, with its tabs."""
    return len(line.expandtabs(8))
