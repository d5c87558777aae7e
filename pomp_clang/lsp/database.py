"""Under which command a document is compiled: compile_commands.json, where there is one."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pomp_clang.driver.errors import DriverError
from pomp_clang.driver.options import language_of
from pomp_clang.driver.search import first_compiler

NAME = "compile_commands.json"
_MOST_SEARCHED = 400
_MOST_READ = 1 << 16


@dataclass(frozen=True, slots=True)
class Entry:
    """A source with the command that compiles it; () is the compiler that is found first."""

    directory: str
    source: str
    command: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        return os.path.realpath(os.path.join(self.directory, self.source))


class Database:
    """The commands of a workspace's folders; read again when a file has changed."""

    def __init__(self, folders: Sequence[str], configured: str = "") -> None:
        self._folders = folders
        self._configured = configured
        self._known: dict[str, tuple[int, dict[str, Entry]]] = {}
        self._includers: dict[str, Entry] = {}

    def unit_of(self, path: str) -> Entry:
        """The unit that a document belongs to: itself, or a source that includes it."""
        real = os.path.realpath(path)
        databases = [self._entries(file) for file in self._files()]
        own = next((known[real] for known in databases if real in known), None)
        if own is not None:
            return own
        if language_of(path, False) in ("c", "c++"):
            return Entry(os.path.dirname(real), path)
        known = self._includers.get(real)
        if known is None:
            entries = ChainMap(*databases)
            known = self._includers[real] = _includer(real, entries) or _alone(real)
        return known

    def forget(self) -> None:
        """Files have changed: a header may be included by others."""
        self._includers.clear()

    def _files(self) -> Iterator[str]:
        """The databases that there are: configured, else at the top of a folder or a level below."""
        if self._configured:
            named = [self._configured, os.path.join(self._configured, NAME)]
            yield from (path for path in named if os.path.isfile(path))
            return
        for folder in self._folders:
            yield from filter(os.path.isfile, [os.path.join(folder, NAME)])
            try:
                inner = sorted(each.path for each in os.scandir(folder) if each.is_dir())
            except OSError:
                continue
            yield from filter(os.path.isfile, (os.path.join(path, NAME) for path in inner))

    def _entries(self, file: str) -> dict[str, Entry]:
        """By their path; of several of one source the first."""
        try:
            changed = os.stat(file).st_mtime_ns
            if file not in self._known or self._known[file][0] != changed:
                with open(file, encoding="utf-8") as opened:
                    listed = json.load(opened)
                found: dict[str, Entry] = {}
                for each in _read(listed):
                    found.setdefault(each.path, each)
                self._known[file] = changed, found
                self._includers.clear()
            return self._known[file][1]
        except (OSError, ValueError):
            return {}


def _read(listed: object) -> Iterator[Entry]:
    for each in listed if isinstance(listed, list) else []:
        if not isinstance(each, dict):
            continue
        command = each.get("arguments") or each.get("command")
        directory, source = each.get("directory"), each.get("file")
        if isinstance(directory, str) and isinstance(source, str) and command:
            words = shlex.split(command) if isinstance(command, str) else list(map(str, command))
            yield Entry(directory, source, tuple(_compilers(words)))


def _compilers(words: Sequence[str]) -> Sequence[str]:
    """A command without us before it, as who watches a build finds it."""
    ours = "--" in words and os.path.basename(words[0]) == "pomp-clang"
    return words[words.index("--") + 1 :] if ours else words


def _includer(header: str, entries: Mapping[str, Entry]) -> Entry | None:
    """A source that names the header in an #include; those of the same folder first."""
    name = re.escape(os.path.basename(header))
    include = re.compile(rf'^[ \t]*#[ \t]*include[ \t]*["<](?:[^">\n]*/)?{name}[">]', re.M)
    folder = os.path.dirname(header)
    near = sorted(entries, key=lambda path: os.path.dirname(path) != folder)
    for path in near[:_MOST_SEARCHED]:
        try:
            with open(path, encoding="latin-1") as file:
                if include.search(file.read(_MOST_READ)):
                    return entries[path]
        except OSError:
            continue
    return None


def _alone(header: str) -> Entry:
    """A header that no source is known to include, as a source of its own."""
    language = "c" if header.endswith(".h") and not _beside_cxx(header) else "c++"
    try:
        compiler = first_compiler(language == "c++")
    except DriverError:
        return Entry(os.path.dirname(header), header)
    return Entry(os.path.dirname(header), header, (compiler, "-fopenmp", "-x", language, header))


def _beside_cxx(header: str) -> bool:
    names = os.listdir(os.path.dirname(header))
    return any(language_of(name, False) == "c++" for name in names)
