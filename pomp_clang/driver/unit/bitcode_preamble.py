"""Precompiled headers for the bitcode of C++ sources that begin with the same #include lines.

The processes of a compile server share them, as they share libclang's preambles. The third source
that begins with some lines has them precompiled. In its own text the include guards leave the
headers out.
"""

from __future__ import annotations

import os
import re
from _blake2 import blake2b
from collections.abc import Callable, Sequence
from itertools import pairwise

from pomp_clang.frontend.c.preamble_store import KEY_BYTES, NOT_WITH, PreambleStore
from pomp_clang.frontend.source import bytes_of
from pomp_clang.frontend.unit import Unit
from pomp_clang.record import record

OPTIONS = ("-w", "-gline-tables-only", "-fno-lto", "-fpch-instantiate-templates")
_VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH")
_FOLDER = re.compile(r"(?:-I|-isystem|-iquote|-idirafter|-isysroot|--sysroot=?|-B)(.*)")
_MOST = 12
"""Preambles of a unit that are looked up."""

_BLANK = r"(?>(?:\s|//[^\n]*+|/\*(?>(?:[^*]|\*(?!/))*)\*/)*)"
_INCLUDE = re.compile(rf'{_BLANK}#[ \t]*include[ \t]*(<[^>\n]+>|"[^"\n]+")[ \t]*(?=[\n/])')


@record
class PrecompiledHeaders:
    """A file with precompiled headers.

    If they do not fit, fewer of them most probably do not either: `keys` in the store are of all.
    """

    path: str
    keys: tuple[bytes, ...]

    @property
    def options(self) -> tuple[str, ...]:
        """The options by which clang reads them ahead of a source."""
        return "-include-pch", self.path


def included_first(text: str) -> list[str]:
    """Return the #include lines with which a text begins.

    >>> included_first('// a\\n#include <x>\\n\\n#include "y.h" // z\\nint i;\\n#include <w>\\n')
    ['#include <x>\\n', '#include "y.h"\\n']
    """
    lines, at = [], 0
    while match := _INCLUDE.match(text, at):
        lines.append(f"#include {match[1]}\n")
        at = match.end()
    return lines


def precompiled_headers(
    store: PreambleStore,
    unit: Unit,
    command: Sequence[str],
    folder: str,
    precompile: Callable[[bytes, str], bool],
) -> PrecompiledHeaders | None:
    """Return the precompiled headers with which a unit may begin, or None.

    `precompile` makes a file in `folder` from a header's text, and returns whether it could.
    Raises OSError.
    """
    if unit.path == "-" or any(word.startswith(NOT_WITH) for word in command):
        return None
    lines = included_first(unit.text)
    beginnings = ["".join(lines[:number]) for number in range(len(lines), 0, -1)][:_MOST]
    keys = [_key(unit, command, beginning) for beginning in beginnings]
    # How long the headers are is not known: no longer beginning replaces one that is there.
    choice = store.choose(keys, [1] * len(keys))
    if choice is None:
        return None
    place, is_new = choice
    key = keys[place]
    if is_new:
        store.begin(key)
        pch_path = os.path.join(folder, "first.pch")
        text = bytes_of(beginnings[place])
        if not (precompile(text, pch_path) and store.keep(key, pch_path, b"")):
            store.give_up(key)
    kept = store.parsed(key)
    if kept is None:
        return None
    return PrecompiledHeaders(kept[0].replace("self", str(os.getpid())), tuple(keys))


def _key(unit: Unit, command: Sequence[str], beginning: str) -> bytes:
    """Return the key of a beginning: other sources may have it from another folder or command."""
    environment = [os.environ.get(name, "") for name in _VARIABLES]
    near = os.path.abspath(os.path.dirname(unit.path)) if '"' in beginning else ""
    working = os.getcwd() if any(environment) or _has_relative_folder(command) else ""
    parts = ["bitcode", *command, *environment, working, near, beginning]
    return blake2b(repr(parts).encode("ascii", "backslashreplace"), digest_size=KEY_BYTES).digest()


def _has_relative_folder(command: Sequence[str]) -> bool:
    """Return True if the headers that are found may depend on the working folder."""
    folders = [
        match[1] or following
        for word, following in pairwise([*command, ""])
        if (match := _FOLDER.match(word))
    ]
    return not all(map(os.path.isabs, folders))
