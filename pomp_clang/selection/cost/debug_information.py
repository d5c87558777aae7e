"""Places in the source, from the debug information of an LLVM module.

The nodes are read when they are needed: most are about variables' types or about functions without
code.
"""

from __future__ import annotations

import os
import re

FunctionPlace = tuple[str, int, str]
"""A function of the source: the file's name without its folder, its line, and its own name."""

_SCOPE = re.compile(r"\bscope: !(\d+)")
_INLINED_AT = re.compile(r"\binlinedAt: !(\d+)")
_FILE = re.compile(r"\bfile: !(\d+)")
_LINE = re.compile(r"\bline: (\d+)")
_NAME = re.compile(r'\bname: "((?:[^"\\]|\\.)*)"')
_FILENAME = re.compile(r'\bfilename: "((?:[^"\\]|\\.)*)"')


class DebugInformation:
    """The nodes of a module's debug information: their text by number."""

    def __init__(self, nodes: dict[int, str]) -> None:
        self._nodes = nodes
        self._subprograms: dict[int, int] = {}
        self._places: dict[int, FunctionPlace | None] = {}

    def inlined(self, location: int) -> tuple[int, int]:
        """Return the function that a location is in, and the location where it was inlined.

        Both are numbers of nodes. The second is 0 if the function was not inlined.
        """
        text = self._nodes.get(location, "")
        at = _number(_INLINED_AT, text) if "DILocation(" in text else 0
        return (self._subprogram(_number(_SCOPE, text)), at) if at else (0, 0)

    def place(self, subprogram: int) -> FunctionPlace | None:
        """Return the place of a function, or None if the node tells none."""
        if subprogram not in self._places:
            self._places[subprogram] = self._place(self._nodes.get(subprogram, ""))
        return self._places[subprogram]

    def _place(self, text: str) -> FunctionPlace | None:
        line, name = _LINE.search(text), _NAME.search(text)
        file = _FILENAME.search(self._nodes.get(_number(_FILE, text), ""))
        if line is None or file is None:
            return None
        return os.path.basename(file[1]), int(line[1]), own_name(name[1] if name else "")

    def _subprogram(self, scope: int) -> int:
        known = self._subprograms.get(scope)
        if known is None:
            text = self._nodes.get(scope, "")
            is_block = "DILexicalBlock" in text
            around = self._subprogram(_number(_SCOPE, text)) if is_block else 0
            known = scope if "DISubprogram(" in text else around
            self._subprograms[scope] = known
        return known


def own_name(name: str) -> str:
    """Return a function's name without its scope and without template arguments.

    >>> own_name("space::{lambda}"), own_name("f<std::pair<int, int> >"), own_name("C::operator<")
    ('operator()', 'f', 'operator<')
    """
    if name.endswith("{lambda}"):
        return "operator()"
    at = name.find("operator")
    if at >= 0 and (at == 0 or name[at - 1] == ":"):
        return name[at:]
    return name.split("<")[0].rsplit("::", 1)[-1]


def _number(field: re.Pattern[str], text: str) -> int:
    match = field.search(text)
    return int(match[1]) if match else 0
