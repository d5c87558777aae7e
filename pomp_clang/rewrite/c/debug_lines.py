"""Marks that keep a debugger from stopping at inserted text.

A mark is a comment, so that a text with marks means what it means without.  The driver
makes `#line` directives of them: `pomp_clang.driver.place.overlay`.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from pomp_clang.frontend.constructs import Construct, Constructs
from pomp_clang.rewrite.descriptor import ends_region

OURS = "/*pomp-line 0*/"

_PRAGMA = re.compile(r'(_Pragma\("omp (?:[^"\\]|\\.)*"\))')
_PRAGMA_OR_BRACE = re.compile(rf"{_PRAGMA.pattern}|(\}})")
_LONGER = re.compile(r"(?:for|while|do|if|switch|try)\b|\{")


class DebugLineMarks:
    """The marks of one file's text."""

    def __init__(self, constructs: Constructs) -> None:
        self._source = constructs.source
        self._cplusplus = constructs.language == "c++"
        self._directives = [
            construct.begin.start for construct in constructs.items if construct.directive
        ]

    def before(self, text: str, at: int, construct: Construct | None = None) -> str:
        """Return the marked text for an insertion at an offset, whose directives are on that line.

        The values that clang loads at the beginning of a task are loaded where `construct`'s block
        begins.
        """
        parts = [
            f"{self._mark(at) if _PRAGMA.match(part) else OURS}{part}"
            for part in _PRAGMA.split(text)
            if part.strip()
        ]
        block = construct.block if construct is not None and construct.generates_tasks else None
        begin = self._end(construct, block.start) if construct and block else at
        if block is not None and (begin < block.start or self._source.text[begin] == "{"):
            begins = self._mark(begin, "brace ")
            if "_Pragma(" not in parts[-1]:  # a metadirective's selectors have braces, too
                parts[-1] = parts[-1].replace("{", f"{begins}{{{OURS}", 1)
        return "".join([*parts, self._back(at)])

    def marked_insertion(self, text: str, construct: Construct) -> str:
        """Return the marked text for an insertion behind a construct's block.

        clang leaves a directive's block at the end of the block, and the directive at the
        directive. An implied barrier is on the directive's line. The explicit barrier of a parallel
        region has no native counterpart.
        """
        block = construct.block
        if block is None:
            return text
        directive = self._mark(construct.begin.start)
        is_compound = _LONGER.match(self._source.text, block.start)
        inside = self._mark(
            self._end(construct, block.end - 1 if is_compound else block.start), "brace "
        )
        if not is_compound and self._ends_apart(construct):
            inside = OURS
        parts = [part for part in _PRAGMA_OR_BRACE.split(text) if part and part.strip()]
        last = len(parts) - 1 - parts[::-1].index("}") if "}" in parts else -1
        marked = []
        for number, part in enumerate(parts):
            if part == "}":
                outer = self._mark(construct.begin.end - 1, "brace ")
                marked.append(f"{outer if number == last else inside}{part}")
            elif _PRAGMA.match(part) and not ends_region(construct):
                marked.append(f"{directive}{part}")
            else:
                marked.append(f"{OURS}{part}")
        return "".join([*marked, self._back(block.end)])

    def _end(self, construct: Construct, at: int) -> int:
        """Return the offset where a construct's statement ends for clang: with a directive's line."""
        assert construct.block is not None
        first = bisect_left(self._directives, construct.begin.end)
        between = self._directives[first : first + 1]
        return between[0] if between and between[0] < construct.block.start else at

    def _ends_apart(self, construct: Construct) -> bool:
        """Return True if the inserted text stands between a simple statement and its end.

        The end would be counted once more there: a call in C++ may end in an exception.
        """
        directive = construct.directive
        return self._cplusplus or (directive is not None and directive.is_deferred)

    def inserted(self, text: str, at: int) -> str:
        """Return the marked text for an insertion where the user has no directive."""
        return f"{OURS}{text}{self._back(at)}"

    def _back(self, at: int) -> str:
        return self._mark(at, f"from {self._source.column(at)} ")

    def _mark(self, offset: int, name: str = "") -> str:
        return f"/*pomp-line {name}{self._source.place(offset)[1]}*/"
