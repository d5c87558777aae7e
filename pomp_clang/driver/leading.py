"""The lines that a source begins with, as long as they do no more than include headers.

They are read as text, on the safe side: what is not plain to see ends them.
"""

from __future__ import annotations

import re

_BLANK = re.compile(rb"[ \t]*(?://.*)?")
_INCLUDE = re.compile(rb'[ \t]*#[ \t]*include[ \t]*(?:<[^<>]+>|"[^"]+")[ \t]*(?://.*)?')
_DEFINE = re.compile(rb"[ \t]*#[ \t]*(?:define|undef)\b.*")
_CONDITION = re.compile(rb"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b.*")
_COMMENT = re.compile(rb"/\*[^*]*\*/[ \t]*$")
_CONTINUED = (b"\\", b"??/")
# What reads otherwise in a file that another one includes, or could.
_MINDS_ITS_PLACE = re.compile(
    rb"(?:#|%:|\?\?=)[ \t]*(?:include|import|embed|ident)|__has_|__INCLUDE_LEVEL__|__TIMESTAMP__"
    rb"|system_header|\bonce\b"
)
_DEPTH = {b"if": 1, b"ifdef": 1, b"ifndef": 1, b"endif": -1}


def leading_includes(text: bytes) -> bytes:
    """The lines up to the last #include or #endif that belongs to no open #if; none if what
    follows them may not stand in a file of its own."""
    at = end = depth = 0
    seen = False
    while at < len(text):
        stop = text.find(b"\n", at) + 1
        line = text[at : stop - 1].removesuffix(b"\r")
        if line.lstrip(b" \t").startswith(b"/*"):
            stop = _behind_comment(text, at)
            line = b""
        line = _COMMENT.sub(b"", line)
        if not stop or b"/*" in line or line.rstrip().endswith(_CONTINUED):
            break
        condition, include = _CONDITION.fullmatch(line), _INCLUDE.fullmatch(line)
        if condition:
            depth += _DEPTH.get(condition[1], 0)
        elif not include and not _BLANK.fullmatch(line) and not _defines(line):
            break
        at = stop
        seen = seen or include is not None
        if seen and depth == 0 and (condition or include):
            end = at
    return b"" if _MINDS_ITS_PLACE.search(text, end) else text[:end]


def _defines(line: bytes) -> bool:
    return _DEFINE.fullmatch(line) is not None and b"ragma" not in line


def _behind_comment(text: bytes, at: int) -> int:
    """Where the line behind a comment begins; 0 if more than blanks follows the comment."""
    close = text.find(b"*/", text.index(b"/*", at) + 2)
    stop = text.find(b"\n", close) + 1 if close >= 0 else 0
    return stop if stop and not text[close + 2 : stop].strip() else 0
