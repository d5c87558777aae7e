"""Turn the marks of a rewritten text into #line directives.

clang writes no debug line for code on line 0: a debugger does not stop at inserted text.
"""

from __future__ import annotations

import re

QUIET = ("-Wno-gnu-zero-line-directive",)

_MARK = rb"/\*pomp-line (?:(brace) |from (\d+) )?(\d+)\*/"


def zero(text: bytes) -> bytes:
    """Return the text as clang is to read it."""
    return re.sub(_MARK, _directive, text)


def _directive(mark: re.Match[bytes]) -> bytes:
    return b"\n#line %s\n%s" % (mark[3], b" " * (int(mark[2] or 1) - 1))
