"""Is there anything for us in a source, as far as its text tells?

Cheaper than loading libclang, and on the safe side: a unit is passed over only
if neither it nor any project header that it may include has the words.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from pomp_clang.driver.command import Command

FILES = 400
BYTES = 32 << 20

_SPLICE = re.compile(rb"\\[ \t]*\r?\n")
_INCLUDE = re.compile(
    rb"^[ \t]*(?:#|%:|\?\?=)[ \t]*(?:include|include_next|import)\b[ \t]*([^\n]*)", re.M
)
_PRAGMA = re.compile(rb"\bpragma\b|\b_Pragma\b|\b__pragma\b|\bomp\s*::")
_OMP = re.compile(rb"\bp?omp\b(?!\.h)")
_LOCK = re.compile(rb"\bomp_\w*_lock\b|\bomp_(?:un)?set_\w*lock|\bomp_test_\w*lock")
# With OpenMP a macro may build the words from parts.
_PASTED = re.compile(rb"##")

_FOLDERS = frozenset(("-I", "-iquote", "-isystem", "-idirafter", "-isystem-after"))


def may_concern_us(command: Command, path: str, text: bytes) -> bool:
    """Follow the unit's includes as text; False only if nothing can be OpenMP."""
    scan = _Scan(command)
    folder = os.path.dirname(path) if path != "-" else ""
    return scan.concerns(folder, text)


def headers_concern_us(command: Command, path: str, text: bytes) -> bool:
    """Whether what lines of a unit include may hold OpenMP."""
    scan = _Scan(command, defines=False)
    return scan.concerns(os.path.dirname(path), b"\n".join(_include_lines(text)))


def _include_lines(text: bytes) -> Iterator[bytes]:
    return (match[0] for match in _INCLUDE.finditer(text))


class _Scan:
    def __init__(self, command: Command, defines: bool = True) -> None:
        self._directory = command.directory
        self._folders = [v for _, _, name, v, _ in command.options if name in _FOLDERS]
        self._forced = [
            v.encode("utf-8", "surrogateescape")
            for _, _, name, v, _ in command.options
            if name in ("-include", "-imacros")
        ]
        self._seen: set[str] = set()
        self._pending: list[tuple[str, bytes]] = []
        self._bytes = 0
        self._defined = defines and any(
            "omp" in value or "ragma" in value
            for _, _, name, value, _ in command.options
            if name == "-D"
        )

    def concerns(self, folder: str, text: bytes) -> bool:
        if self._defined:
            return True
        for name in self._forced:
            self._follow("", name, quoted=True)
        self._pending.append((folder, text))
        pragma = omp = False
        while self._pending:
            place, data = self._pending.pop()
            data = _SPLICE.sub(b"", data)
            pragma = pragma or _PRAGMA.search(data) is not None
            omp = omp or _OMP.search(data) is not None
            if (pragma and omp) or _LOCK.search(data):
                return True
            if b"_Pragma" in data and _PASTED.search(data):
                return True
            if not self._includes(place, data):
                return True
        return False

    def _includes(self, place: str, data: bytes) -> bool:
        """Queue what `data` includes; False if that cannot be told."""
        for match in _INCLUDE.finditer(data):
            operand = match[1].strip()
            close = {b'"': b'"', b"<": b">"}.get(operand[:1])
            end = operand.find(close, 1) if close else -1
            if end < 0:
                return False  # a macro
            self._follow(place, operand[1:end], quoted=close == b'"')
            if len(self._seen) > FILES or self._bytes > BYTES:
                return False
        return True

    def _follow(self, place: str, name: bytes, quoted: bool) -> None:
        """Every file the name may mean: which one is the compiler's to choose."""
        text = name.decode("utf-8", "surrogateescape")
        for folder in ([place] if quoted else []) + self._folders:
            path = os.path.join(self._directory, folder, text)
            real = os.path.realpath(path)
            if real in self._seen:
                continue
            try:
                with open(path, "rb") as file:
                    data = file.read(BYTES)
            except (OSError, ValueError):
                continue
            self._seen.add(real)
            self._bytes += len(data)
            self._pending.append((os.path.dirname(path), data))
