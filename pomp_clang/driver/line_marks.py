"""Marks of a rewritten text as #line directives, so that what is inserted is on no line.

No line counts it where a program's coverage is measured, and no debugger stops at it.

clang counts nothing on a line 0.  gcc has no such line: there what is inserted is in a file
of no such name, one line each, which `pomp_clang.driver.gcno` takes out of what gcc notes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count

COUNTING = ("--coverage", "-coverage", "-fprofile-arcs", "-ftest-coverage")
_MAPPING = ("-fcoverage-mapping", "-fno-coverage-mapping")
NOWHERE = "<pomp>"
# Of two lines in a row with one number gcc notes the first, whatever files they are in.
_FIRST = 30_000
QUIET = ("-Wno-gnu-zero-line-directive",)

# To clang a lock's routine may throw, which ends a block.
_LOCK = re.compile(
    rb"(POMP_\w+_lock\(void \*, struct ompregdescr \*\) __attribute__\(\([^()]*\([^()]*\)), __nothrow__"
)

_MARK = rb"/\*pomp-line (?:(brace) |from (\d+) )?(\d+)(?: (.*?))?\*/"


def counts_lines(given: Sequence[str]) -> bool:
    """Whether the compiler is to note which lines there are to be counted."""
    return any(word in COUNTING for word in given)


def maps_regions(given: Sequence[str]) -> bool:
    """Whether clang is to note which region of the source each counter belongs to."""
    found = [word for word in given if word in _MAPPING]
    return found[-1:] == [_MAPPING[0]]


def zero(text: bytes, counts: bool) -> bytes:
    """Return the text as clang is to read it; `counts` is True if clang counts lines."""
    if counts:
        text = _LOCK.sub(rb"\1", text)
    return re.sub(_MARK, lambda mark: _directive(mark, mark[3], b""), text)


def numbered(text: bytes, spelt: bytes) -> bytes:
    """The text as gcc is to read it, under the name that is `spelt` in directives; it has
    no code at a brace."""
    numbers = count(_FIRST)

    def line(mark: re.Match[bytes]) -> bytes:
        if mark[1]:
            return b""
        if mark[3] == b"0":
            return _directive(mark, b"%d" % next(numbers), NOWHERE.encode())
        return _directive(mark, mark[3], mark[4] or spelt)

    return re.sub(_MARK, line, text)


def _directive(mark: re.Match[bytes], line: bytes, name: bytes) -> bytes:
    named = b' "%s"' % name if name else b""
    return b"\n#line %s%s\n%s" % (line, named, b" " * (int(mark[2] or 1) - 1))
