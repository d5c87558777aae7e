"""Compile commands: compile_commands.json, or the compiler that is found first."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pomp_clang.driver import DriverError
from pomp_clang.driver.command.options import language_of
from pomp_clang.driver.compiler.installed import first_compiler
from pomp_clang.driver.unit.sources import is_fortran

NAME = "compile_commands.json"
_MOST_SEARCHED = 400
_MOST_READ = 1 << 16


@dataclass(frozen=True, slots=True)
class CompileEntry:
    """A source with the command that compiles it; () stands for the compiler that is found first."""

    directory: str
    source: str
    command: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        return os.path.realpath(os.path.join(self.directory, self.source))


class Database:
    """The compile commands of a workspace's folders; a changed file is read again."""

    def __init__(self, folders: Sequence[str], configured: str = "") -> None:
        self._folders = folders
        self._configured = configured
        self._known: dict[str, tuple[int, dict[str, CompileEntry]]] = {}
        self._includers: dict[str, CompileEntry] = {}

    @property
    def is_missing(self) -> bool:
        """True if the workspace has no compile commands."""
        return next(self._files(), None) is None

    def unit_of(self, path: str) -> CompileEntry:
        """Return the unit of a document: the document itself, or a source that includes it."""
        real = os.path.realpath(path)
        databases = [self._entries(file) for file in self._files()]
        entry = next((known[real] for known in databases if real in known), None)
        if entry is not None:
            return entry
        language = language_of(path, False)
        if language in ("c", "c++") or is_fortran(language):
            return CompileEntry(os.path.dirname(real), path)
        known = self._includers.get(real)
        if known is None:
            entries = ChainMap(*databases)
            known = self._includers[real] = _includer(real, entries) or _header_entry(real)
        return known

    def forget(self) -> None:
        """Forget which source includes a header, because files have changed."""
        self._includers.clear()

    def _files(self) -> Iterator[str]:
        """Yield the existing databases: the configured one, else those at the top of a folder or a
        level below.
        """
        if self._configured:
            named = [self._configured, os.path.join(self._configured, NAME)]
            yield from (path for path in named if os.path.isfile(path))
            return
        for folder in self._folders:
            yield from filter(os.path.isfile, [os.path.join(folder, NAME)])
            try:
                inner = sorted(inside.path for inside in os.scandir(folder) if inside.is_dir())
            except OSError:
                continue
            yield from filter(os.path.isfile, (os.path.join(path, NAME) for path in inner))

    def _entries(self, file: str) -> dict[str, CompileEntry]:
        """Return the entries of a database by path, the first one for each source."""
        try:
            changed = os.stat(file).st_mtime_ns
            if file not in self._known or self._known[file][0] != changed:
                with open(file, encoding="utf-8") as opened:
                    listed = json.load(opened)
                entries: dict[str, CompileEntry] = {}
                for entry in _read(listed):
                    entries.setdefault(entry.path, entry)
                self._known[file] = changed, entries
                self._includers.clear()
            return self._known[file][1]
        except (OSError, ValueError):
            return {}


def _read(listed: object) -> Iterator[CompileEntry]:
    for row in listed if isinstance(listed, list) else []:
        if not isinstance(row, dict):
            continue
        command = row.get("arguments") or row.get("command")
        directory, source = row.get("directory"), row.get("file")
        if isinstance(directory, str) and isinstance(source, str) and command:
            arguments = (
                shlex.split(command) if isinstance(command, str) else list(map(str, command))
            )
            yield CompileEntry(directory, source, tuple(_compilers(arguments)))


def _compilers(arguments: Sequence[str]) -> Sequence[str]:
    """Remove pomp-clang from a command, as tools that record a build find it."""
    has_separator = "--" in arguments and os.path.basename(arguments[0]) == "pomp-clang"
    return arguments[arguments.index("--") + 1 :] if has_separator else arguments


def _includer(header: str, entries: Mapping[str, CompileEntry]) -> CompileEntry | None:
    """Return a source that names the header in an #include, preferably in the same folder."""
    name = re.escape(os.path.basename(header))
    include = re.compile(rf'^[ \t]*#[ \t]*include[ \t]*["<](?:[^">\n]*/)?{name}[">]', re.M)
    folder = os.path.dirname(header)
    by_folder = sorted(entries, key=lambda path: os.path.dirname(path) != folder)
    for path in by_folder[:_MOST_SEARCHED]:
        try:
            with open(path, encoding="latin-1") as file:
                if include.search(file.read(_MOST_READ)):
                    return entries[path]
        except OSError:
            continue
    return None


def _header_entry(header: str) -> CompileEntry:
    """Build an entry for a header that no source is known to include."""
    language = "c" if header.endswith(".h") and not _beside_cxx(header) else "c++"
    try:
        compiler = first_compiler(language == "c++")
    except DriverError:
        return CompileEntry(os.path.dirname(header), header)
    return CompileEntry(
        os.path.dirname(header), header, (compiler, "-fopenmp", "-x", language, header)
    )


def _beside_cxx(header: str) -> bool:
    names = os.listdir(os.path.dirname(header))
    return any(language_of(name, False) == "c++" for name in names)
