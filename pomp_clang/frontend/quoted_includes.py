"""Names that a compiler looks up in the folder of the file that has them, where a copy of the file is
compiled in another folder.

Most of them are replaced by paths. A folder on the compiler's search path would be one for the
quoted names in all headers, and for -include.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from pomp_clang.frontend.inclusion import include_directives, path_beside
from pomp_clang.frontend.source import decoded, encoded
from pomp_clang.frontend.unit import Include

_NEXT = re.compile(r"[ \t]*(?:#|%:)[ \t]*include_next\b")
_RAW_STRING = re.compile(r'R"([^()\\\s]{0,16})\(.*?\)\1"', re.S)


def includes_beside(text: str, path: str) -> list[Include]:
    """Return the #include directives of the file `path` whose quoted names are files in its folder.

    A header with an #include_next is left out: that goes on behind the place where the header was
    found.
    """
    strings = [m.span() for m in _RAW_STRING.finditer(text)] if 'R"' in text else []
    includes = []
    for line, match in include_directives(text):
        name = decoded(match["quoted"] or "")
        if not name or os.path.isabs(name) or _NEXT.match(match[0]):
            continue
        if any(start < match.start() < end for start, end in strings):
            continue
        adjacent = path_beside(path, name)
        if os.path.isfile(adjacent) and not _includes_next(adjacent):
            includes.append(Include(line, adjacent, adjacent, True))
    return includes


def asked_beside(text: str, path: str, here: str) -> str:
    """Return the text of the file `path` whose conditions ask for files beside it by paths behind
    `here`, a link to the working directory."""

    def with_path(match: re.Match[str]) -> str:
        adjacent = path_beside(path, decoded(match[2]))
        is_beside = not os.path.isabs(match[2]) and os.path.isfile(adjacent)
        return match[1] + (encoded(os.path.join(here, adjacent)) if is_beside else match[2])

    if "__has_" not in text:
        return text
    return _CONDITION.sub(lambda condition: _ASKED.sub(with_path, condition[0]), text)


_SPLICE = re.compile(r"\\[ \t\f\v]*\r?\n")
_GAP = r"(?:[ \t]|/\*[^\n]*?\*/)*"
_QUOTED = re.compile(
    rf"^{_GAP}(?:#|%:){_GAP}(?:include|include_next|import|embed|pragma GCC dependency)\b{_GAP}"
    # What follows is no blank, nor the begin of a comment or of a system header's name.
    r"((?!/\*)[^<\s][^\"\n]*)",
    re.M,
)
_SPLICED = re.compile(r"^[ \t]*(?:#|%:)[^\n\\]*(?:\\[ \t\f\v]*\r?\n[^\n\\]*)+", re.M)
_HAS = re.compile(r"__has_(?:include|include_next|embed)\b(?!\s*\(\s*<)")
_CONDITION = re.compile(
    r"^[ \t]*(?:#|%:)[ \t]*(?:if|elif)\b[^\n]*__has_(?:include|embed)\b[^\n]*", re.M
)
_ASKED = re.compile(r'(__has_(?:include|embed)\s*\(\s*")([^"\n]+)(?=")')


def with_whole_includes(text: str) -> str:
    """Write each #include directive that goes on in further lines on one line. All lines stay."""

    def on_one_line(match: re.Match[str]) -> str:
        whole, count = _SPLICE.subn("", match[0])
        end = "\r" if whole.endswith("\r") else ""
        lines = whole.removesuffix(end) + " \\\n" * count + end
        return lines if next(include_directives(whole), None) else match[0]

    return _SPLICED.sub(on_one_line, text) if _SPLICE.search(text) else text


def quoted_names(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the names for which a text's directives search like for a quoted one, and whether a name
    is that of a macro."""
    for match in _QUOTED.finditer(_SPLICE.sub("", text)):
        yield decoded(match[1].strip('" \t')), match[1][0] != '"'


def searches_beside(text: str, path: str) -> bool:
    """Return True if the text of the file `path`, whose headers `includes_beside` are redirected,
    may ask for another file in its folder: by a macro, or by a name in another directive."""
    unspliced = _SPLICE.sub("", text)
    names = [decoded(match[2]) for match in _ASKED.finditer(unspliced)]
    if len(names) < len(_HAS.findall(unspliced)):
        return True  # by a macro
    quoted = list(quoted_names(text))
    return any(
        not os.path.isabs(name) and os.path.exists(path_beside(path, name))
        for name in (*names, *(name for name, _ in quoted))
    ) or any(is_macro for _, is_macro in quoted)


def _includes_next(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return b"include_next" in file.read()
    except OSError:
        return True
