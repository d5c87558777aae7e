"""The parts of which a preamble is made: headers, and macros before them."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from pomp_clang.record import record

NAME = r'"((?:[^"\\\n]|\\.)*)"'
TURN = re.compile(rf"# (\d+) {NAME} ([12])((?: [34])*)\n")
"""A marker that enters a file or returns to one."""

_BEGINS_WITH_MACRO = re.compile(
    rf"[^\n]*\n(?:[ \t]*\n|# \d+ {NAME}(?: [34])*\n)*#define \w+(?: 1)?[ \t]*\n"
)
_COMMENTS = r"(?:\s|//[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*"
GUARD = re.compile(
    _COMMENTS + r"#[ \t]*(?:pragma[ \t]+once\b|(?:ifndef|if[ \t]+![ \t]*defined)[ \t(]+(\w+))"
)
"""The begin of a header that has no effect when it is read again, as far as can be seen."""

_OPERAND = re.compile(r"[ \t]*#[ \t]*include[ \t]*(\"[^\"\n]+\"|<[^>\n]+>)")


@record
class PreamblePart:
    """A part of a unit's beginning: `line` is the directive for it in the text of a preamble.

    A header stands with all that it includes from `start` to `end` in the preprocessed text; the
    file `includer` includes it, on the line `number`, at an offset. Of a macro only `line` counts.
    """

    line: str
    start: int = 0
    end: int = 0
    includer: str = ""
    number: int = 0
    offset: int = 0
    is_system: bool = False
    is_renamed: bool = False
    """true if libclang has another name for the header in a preamble than in a unit that is parsed whole"""


def is_system(turn: re.Match[str], project_folders: Sequence[str]) -> bool:
    """Return True if a marker is of a system header in none of the project's folders."""
    return "3" in turn.group(4) and not turn.group(2).startswith(
        tuple(f"{folder.rstrip('/')}/" for folder in project_folders)
    )


def is_guarded(output: str, start: int, text: str) -> bool:
    """Return True if a file seems to have an include guard: a macro at its begin most probably is one.

    Its preprocessed text begins at an offset of the output; `text` is its own.
    """
    return _BEGINS_WITH_MACRO.match(output, start) is not None or GUARD.match(text) is not None


def operand_at(text: str, number: int) -> re.Match[str] | None:
    """Return the #include directive on a line of a file, with its operand as the group; None if the
    directive there is not plain."""
    at = 0
    for _ in range(number - 1):
        at = text.find("\n", at) + 1
        if not at:
            return None
    return _OPERAND.match(text, at) if number > 0 else None


def from_elsewhere(operand: str, folder: str, is_main: bool) -> str | None:
    """Return the operand with which a preamble includes a header that a file of `folder` includes;
    None if it may find another one in the working folder.

    `is_main` is true for a file in whose folder a preamble looks for headers, behind the working one.
    """
    name = operand[1:-1]
    if operand[0] == "<":
        return operand
    beside = os.path.join(folder, name)
    if os.path.isfile(beside) and (os.path.isabs(folder) or not is_main):
        return f'"{os.path.abspath(beside) if not os.path.isabs(folder) else beside}"'
    is_there = (folder or not is_main) and os.path.isfile(name)
    return None if is_there else operand
