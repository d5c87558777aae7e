"""clang's diagnostics of an instrumented text as those of the user's text, where both are about the same
text.

Instrumentation keeps the lines of a file, most of them as they are, and others up to the inserted
text. A diagnostic of what stands before it names the same column. If a line is quoted that goes on with
inserted text, the user's line takes its place. A diagnostic that instrumentation adds names what it
has inserted.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import cached_property

from pomp_clang.driver.compile.rewrite_units import InstrumentedSource
from pomp_clang.frontend.source import bytes_of
from pomp_clang.record import record

_PLACED = re.compile(
    r"(?P<file>[^\s:][^:]*):(?P<line>\d+):(?P<column>\d+): (?:warning|note|remark): "
)
_INCLUDED = re.compile(r"(?:In file included| +) from [^:]+:\d+[:,]")
_QUOTED = re.compile(r"(?P<before> *(?P<line>\d+) \| ?)(?P<text>.*)")
_MARKED = re.compile(r" +\| ?(?P<text>.*)")
_COUNTED = re.compile(r"\d+ warnings? generated\.")
_NAMED_IN_TEXT = re.compile(r":\d+:\d+\b")
_RENUMBERS = re.compile(rb"^[ \t]*#[ \t]*(?:line\b|\d)", re.MULTILINE)
_CONTROLS = re.compile(rb'[Pp]ragma[\s("]+pomp\b')
"""A directive of ours, whose calls use variables that nothing else may use."""
_OF_MACROS = re.compile(r"\[(?:-Werror,)?-Wunused-macros[],]")
"""The new text does not use the macros of which the user's directives were made."""
_TAB_STOP = 8
_MADE_BY_MACROS = "<scratch space>"
"""Where clang keeps tokens that it makes: the number of their line depends on all macros before."""
_LONGEST_QUOTED = 4096
"""Bytes of a line: clang does not quote a longer one (MaxLineLengthToPrint)."""


class _UnequalError(Exception):
    """A diagnostic may be another one for the user's text."""


@record
class _LinePair:
    """A line of the user's, and the one that is compiled in its place."""

    own: bytes
    new: bytes

    @property
    def is_changed(self) -> bool:
        return self.own != self.new

    @property
    def equal(self) -> bytes:
        """The text with which both begin."""
        pairs = enumerate(zip(self.own, self.new, strict=False))
        return self.own[: next((at for at, (own, new) in pairs if own != new), len(self.own))]

    def check_column(self, column: int) -> None:
        """Raise _UnequalError if a column, from 1, is not that of the same text, or clang does not
        quote the new line for its length."""
        if not self.is_changed:
            return
        same = column <= len(self.equal) and self.equal.isascii()
        if not same or len(self.new) > _LONGEST_QUOTED:
            raise _UnequalError

    def check_marks(self, marks: str) -> None:
        """Raise _UnequalError if the marks beneath the line are not beneath the same text."""
        if self.is_changed and len(marks.rstrip()) > len(_as_quoted(self.equal)):
            raise _UnequalError


@record
class _ReplacedText:
    """A file's own text and the one that is compiled in its place."""

    own: bytes
    new: bytes

    @property
    def is_comparable(self) -> bool:
        """True if the lines have the numbers that the compiler gives them, and calls hide nothing."""
        own, new = self._lines
        if _RENUMBERS.search(self.own) or _CONTROLS.search(self.own):
            return False
        return len(own) == len(new)

    @cached_property
    def _lines(self) -> tuple[list[bytes], list[bytes]]:
        return self.own.split(b"\n"), self.new.split(b"\n")

    def line(self, number: str) -> _LinePair:
        """Return a line.  Raises _UnequalError if there is none."""
        own, new = self._lines
        at = int(number) - 1
        if not 0 <= at < len(own):
            raise _UnequalError
        return _LinePair(own[at], new[at])


def _as_quoted(line: bytes) -> str:
    """Return a line as clang quotes it."""
    return line.decode("utf-8", "replace").expandtabs(_TAB_STOP)


def of_users_text(text: str, items: Sequence[InstrumentedSource], directory: str) -> str | None:
    """Return the diagnostics that clang gives for the user's texts, from those for new texts; None
    if that is not certain.

    The diagnostics have no colors. `directory` is the one that the file names in them are relative
    to.
    """
    try:
        replaced = _replaced(items, directory)
        if not all(pair.is_comparable for pair in replaced.values()):
            return None
        lines = _DiagnosticLines(replaced, directory)
        return "\n".join(map(lines.users, text.split("\n")))
    except (OSError, _UnequalError):
        return None


class _DiagnosticLines:
    """The lines of diagnostics, read in their order."""

    def __init__(self, replaced: dict[str, _ReplacedText], directory: str) -> None:
        self._replaced = replaced
        self._directory = directory
        self._file: _ReplacedText | None = None
        """the replaced text that the last place is in"""
        self._quoted: _LinePair | None = None

    def users(self, line: str) -> str:
        """Return the line as it is for the user's text.  Raises _UnequalError."""
        if placed := _PLACED.match(line):
            self._check_place(placed)
        elif quotation := _QUOTED.fullmatch(line):
            return self._quotation(quotation)
        elif marks := _MARKED.fullmatch(line):
            if self._quoted is not None:
                self._quoted.check_marks(marks["text"])
        elif line and not any(form.match(line) for form in (_INCLUDED, _COUNTED)):
            raise _UnequalError
        return line

    def _check_place(self, placed: re.Match[str]) -> None:
        if placed["file"] == _MADE_BY_MACROS or _OF_MACROS.search(placed.string):
            raise _UnequalError
        path = os.path.realpath(os.path.join(self._directory, placed["file"]))
        self._file, self._quoted = self._replaced.get(path), None
        if self._file is not None:
            self._file.line(placed["line"]).check_column(int(placed["column"]))
        if _NAMED_IN_TEXT.search(placed.string, placed.end()):
            raise _UnequalError  # the place of a lambda, for example

    def _quotation(self, quotation: re.Match[str]) -> str:
        if self._file is None:
            return quotation[0]
        self._quoted = self._file.line(quotation["line"])
        if _as_quoted(self._quoted.new).rstrip() != quotation["text"].rstrip():
            raise _UnequalError
        if not self._quoted.is_changed:
            return quotation[0]
        return f"{quotation['before']}{_as_quoted(self._quoted.own)}"


def _replaced(items: Sequence[InstrumentedSource], directory: str) -> dict[str, _ReplacedText]:
    """Return the texts that are replaced, by the real paths of their files.  Raises OSError."""
    replaced: dict[str, _ReplacedText] = {}
    for item in items:
        if item.path == "-":
            raise FileNotFoundError(item.path)
        texts = {item.path: item.text}
        texts |= {header.path: bytes_of(header.text) for header in item.headers if header.changed}
        for path, new in texts.items():
            real = os.path.realpath(os.path.join(directory, path))
            if real not in replaced:
                with open(real, "rb") as file:
                    replaced[real] = _ReplacedText(file.read(), new)
    return replaced
