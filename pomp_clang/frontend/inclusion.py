"""The inclusions of a unit's files, and the texts that have to include copies."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from pomp_clang.frontend.source import RealPaths, decoded, encoded
from pomp_clang.frontend.unit import Include, RewrittenHeader
from pomp_clang.record import record

_INCLUDE = re.compile(
    r"^[ \t]*(?:#|%:)[ \t]*(?:include|include_next|import)\b[ \t]*"
    r'(?P<operand>"(?P<quoted>[^"\n]*)"|<(?P<angled>[^>\n]*)>|[A-Za-z_][^\n]*)',
    re.M,
)
_SYSTEM = "-isystem"
_FOLDER = ("-I", "-iquote", _SYSTEM, "-idirafter")


@record
class Inclusion:
    """One time that the compiler entered the file `path`, at a line of `includer`.

    `includer` is "" if the command line includes the file. `reading` identifies the one of the
    includer's readings that has the line, if libclang found the inclusion.
    """

    path: str
    includer: str
    line: int
    offset: int
    reading: int = 0


class Inclusions:
    """A unit's inclusions, found by the file that includes or the one that is included."""

    def __init__(self, entered: Iterable[Inclusion]) -> None:
        self._into: dict[str, list[Inclusion]] = {}
        self._by: dict[str, list[Inclusion]] = {}
        for way in entered:
            self._into.setdefault(way.path, []).append(way)
            self._by.setdefault(way.includer, []).append(way)
        for ways in self._by.values():
            ways.sort(key=_offset)

    def into(self, path: str) -> Sequence[Inclusion]:
        """Return the inclusions of a file."""
        return self._into.get(path, ())

    def between(self, path: str, start: int, end: int) -> Iterator[Inclusion]:
        """Yield the inclusions of a file from an offset on up to another."""
        ways = self._by.get(path, [])
        for at in range(bisect_left(ways, start, key=_offset), len(ways)):
            if ways[at].offset >= end:
                break
            yield ways[at]

    def beneath(self, paths: Iterable[str]) -> set[str]:
        """Return the files, and all that these include, through others too."""
        reached = set(paths)
        pending = list(reached)
        while pending:
            found_files = {way.path for way in self._by.get(pending.pop(), ())} - reached
            reached |= found_files
            pending += found_files
        return reached


class InclusionGraph:
    """The project's files of one unit, and which of them includes which.

    `texts` has the text of each file, by the compiler's name for it; the main file is among them.
    `folders` are the folders in which headers are searched. Results are cached.
    """

    def __init__(
        self,
        main: str,
        texts: Mapping[str, str],
        entered: Iterable[Inclusion],
        folders: Iterable[str],
    ) -> None:
        self.main = main
        self._texts = texts
        self._folders = tuple(folders)
        self._entered: dict[tuple[str, int], dict[str, None]] = {}
        self._first: dict[str, Inclusion] = {}
        self._entering: dict[str, set[str]] = {}
        self._included_paths: dict[str, frozenset[str]] = {}
        for way in entered:
            self._entered.setdefault((way.includer, way.line), {})[way.path] = None
            self._first.setdefault(way.path, way)
            if way.includer in texts:  # not the command line
                self._entering.setdefault(way.path, set()).add(way.includer)
        self._real = RealPaths()
        self._files = {self._real.of(path): path for path in texts}
        self._bases = {os.path.basename(path) for path in (*texts, *self._files)}
        self._directives: dict[str, list[tuple[int, str, bool]]] = {}
        self._includes: dict[str, tuple[Include, ...]] = {}
        self._spelt: dict[str, str] = {main: main}
        self._found: dict[tuple[str, str], str] = {}

    def text(self, path: str) -> str:
        """Return a file's text."""
        return self._texts[path]

    def includes(self, path: str) -> tuple[Include, ...]:
        """Return what a file's directives include, even where an include guard made them idle."""
        if path not in self._includes:
            self._includes[path] = tuple(self._included(path))
        return self._includes[path]

    def _included(self, path: str) -> Iterator[Include]:
        for line, name, quoted in self._include_requests(path):
            entered = self._entered.get((path, line), ())
            for resolved in entered or filter(None, [self._look_up(path, name, quoted)]):
                if name:
                    is_adjacent = quoted and _is_same_file(path_beside(path, name), resolved)
                    spelt = path_beside(self.spelt(path), name) if is_adjacent else resolved
                    yield Include(line, resolved, spelt, is_adjacent)
                else:
                    yield self._named_by_macro(path, line, resolved, len(entered) > 1)

    def _named_by_macro(self, path: str, line: int, resolved: str, varies: bool) -> Include:
        """Return what a macro names on a line of the file `path`. A file of the project has its name
        from wherever it is included, and a copy's folder has one that is beside the original."""
        if not varies:
            return Include(line, resolved, resolved, resolved in self._texts)
        base = os.path.basename(resolved)
        is_adjacent = _is_same_file(path_beside(path, base), resolved)
        spelt = path_beside(self.spelt(path), base) if is_adjacent else resolved
        return Include(line, resolved, spelt, is_adjacent, varies)

    def has_macro_names(self, path: str) -> bool:
        """Return True if a file includes what a macro names."""
        return any(not name for _, name, _ in self._include_requests(path))

    def _include_requests(self, path: str) -> list[tuple[int, str, bool]]:
        """Return line, name and kind (quoted or not) of each #include of a file."""
        if path not in self._directives:
            self._directives[path] = [
                (
                    line,
                    decoded(match["quoted"] or match["angled"] or ""),
                    match["quoted"] is not None,
                )
                for line, match in include_directives(self._texts[path])
            ]
        return self._directives[path]

    def spelt(self, path: str) -> str:
        """Return gcc's name of a file, which has no `./` for one beside a source of the working
        directory."""
        if path not in self._spelt:
            self._spelt[path] = self._spell(path)
        return self._spelt[path]

    def _spell(self, path: str) -> str:
        way = self._first.get(path)
        if way is None or way.includer not in self._texts:
            return path
        request = self._include_requests(way.includer)
        at = bisect_left(request, way.line, key=_line)
        line, name, quoted = request[at] if at < len(request) else (0, "", False)
        if line == way.line and quoted and _is_same_file(path_beside(way.includer, name), path):
            return path_beside(self.spelt(way.includer), name)
        return path

    def relative(self) -> Iterator[str]:
        """Yield the headers whose names depend on the working directory."""
        return (path for path in self._texts if path != self.main and not os.path.isabs(path))

    def leading_to(self, targets: Iterable[str]) -> set[str]:
        """Return the files themselves, and all files that include one of them, directly or not.

        A file that only the command line includes is led to by no other.
        """
        reached = set(targets)
        pending = list(reached)
        while pending:
            includers = self._includers(pending.pop()) - reached
            reached |= includers
            pending += includers
        return reached

    def _includers(self, target: str) -> set[str]:
        """Return the files with a directive that includes a file."""
        bases = {os.path.basename(target), os.path.basename(self._real.of(target))}
        candidates = {path for base in bases for path, _ in self._requests.get(base, ())}
        candidates |= self._entering.get(target, set())
        return {path for path in candidates if target in self._paths_in(path)}

    def _paths_in(self, path: str) -> frozenset[str]:
        if path not in self._included_paths:
            self._included_paths[path] = frozenset(include.path for include in self.includes(path))
        return self._included_paths[path]

    def names(self, path: str) -> tuple[str, ...]:
        """Return every name by which a directive of the project may ask for a file."""
        real = self._real.of(path)
        names = {path: None}
        for includer, name in self._requests.get(os.path.basename(path), ()):
            for spelt in (path_beside(includer, name), *self._in_folders(name)):
                if spelt not in names and self._real.of(spelt) == real:
                    names[spelt] = None
        return tuple(names)

    @cached_property
    def _requests(self) -> dict[str, dict[tuple[str, str], None]]:
        """The includers and the names in the project's #include directives, each once, by the last
        part of the name."""
        by_base: dict[str, dict[tuple[str, str], None]] = {}
        for includer in self._texts:
            for _, name, _ in self._include_requests(includer):
                by_base.setdefault(os.path.basename(name), {})[includer, name] = None
        return by_base

    def _look_up(self, includer: str, name: str, quoted: bool) -> str:
        """Return the unit's file that the compiler would find, or ""."""
        if os.path.basename(name) not in self._bases:
            return ""  # a system header, in most cases; it would be looked for in all folders
        key = os.path.dirname(includer) if quoted else "<", name
        if key not in self._found:
            adjacent = [path_beside(includer, name)] if quoted else []
            candidates = [*adjacent, *self._in_folders(name)] if name else []
            real = next((self._real.of(c) for c in candidates if os.path.isfile(c)), "")
            self._found[key] = self._files.get(real, "")
        return self._found[key]

    def _in_folders(self, name: str) -> list[str]:
        return [os.path.join(folder, name) for folder in self._folders]


def _offset(way: Inclusion) -> int:
    return way.offset


def _line(request: tuple[int, str, bool]) -> int:
    return request[0]


def with_copies(
    graph: InclusionGraph, texts: Mapping[str, str], named_by_line: bool = False
) -> tuple[tuple[RewrittenHeader, ...], tuple[Include, ...]]:
    """Return the headers that need a copy, and the #include directives of the main file.

    A header needs a copy if it has a new text, or includes a header that has one. With
    `named_by_line`, headers included by a relative path are copied too: from the folder of a copy
    these paths lead nowhere.
    """
    copied = {*texts, *(graph.relative() if named_by_line else ())}
    if not copied:
        return (), graph.includes(graph.main) if graph.has_macro_names(graph.main) else ()
    headers = [
        RewrittenHeader(
            path=path,
            text=texts.get(path) or graph.text(path),
            changed=path in texts,
            spelt=graph.spelt(path),
            names=graph.names(path) if path in texts else (),
            includes=graph.includes(path),
        )
        for path in sorted(graph.leading_to(copied) - {graph.main})
    ]
    return tuple(headers), graph.includes(graph.main)


def folders(arguments: Iterable[str]) -> Iterator[str]:
    """Yield the folders that a compiler's arguments name for headers, in their order."""
    waiting = False
    for argument in arguments:
        option = next((f for f in _FOLDER if argument.startswith(f)), "")
        if waiting:
            yield argument
        elif option and len(argument) > len(option):
            yield argument.removeprefix(option)
        waiting = not waiting and argument in _FOLDER


def without_folders(arguments: Iterable[str]) -> Iterator[str]:
    """Yield a compiler's arguments without those that name folders for headers."""
    waiting = False
    for argument in arguments:
        if not waiting and not argument.startswith(_FOLDER):
            yield argument
        waiting = not waiting and argument in _FOLDER


def system_folders(arguments: Iterable[str]) -> Iterator[str]:
    """Yield the folders that -isystem options name, in their order."""
    return _folders_of(_SYSTEM, arguments)


def searched_for_quoted(arguments: Sequence[str]) -> Iterator[str]:
    """Yield the folders in which a compiler searches a quoted name that is not beside its includer."""
    for option in ("-iquote", "-I", _SYSTEM, "-idirafter"):
        yield from _folders_of(option, arguments)


def _folders_of(option: str, arguments: Iterable[str]) -> Iterator[str]:
    waiting = False
    for argument in arguments:
        if waiting:
            yield argument
        elif argument.startswith(option) and argument != option and not _is_after(argument):
            yield argument.removeprefix(option)
        waiting = not waiting and argument == option


def _is_after(argument: str) -> bool:
    return argument.startswith("-isystem-after")


def project_folders(arguments: Iterable[str], files: Iterable[str]) -> tuple[str, ...]:
    """Return the folders of -isystem options up to the last one that has one of the `files`.

    A build system names the headers of an installed library with -isystem (CMake does so for an
    imported target). A library of templates has its OpenMP constructs there.
    """
    named, holders = list(dict.fromkeys(system_folders(arguments))), tuple(files)
    count = 0
    for number, folder in enumerate(named, 1):
        if any(file.startswith(f"{folder.rstrip('/')}/") for file in holders):
            count = number
    return tuple(named[:count])


def as_project(arguments: Sequence[str], folders: Sequence[str]) -> tuple[str, ...]:
    """Return the arguments with -I instead of -isystem for these folders, in the order in which a
    compiler searches them: behind all others of -I."""
    if not folders:
        return tuple(arguments)
    kept: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        value = next(rest, "") if argument in (_SYSTEM, "-I") else None
        folder = argument.removeprefix(_SYSTEM).removeprefix("-I") if value is None else value
        if folder in folders and argument.startswith((_SYSTEM, "-I")):
            continue
        kept += [argument] if value is None else [argument, value]
    return (*kept, *(f"-I{folder}" for folder in folders))


def redirected(text: str, includes: Iterable[Include], place: Callable[[Include], str]) -> str:
    """Replace the names in #include directives by the names that `place` returns, "" for none.

    Lines stay.
    """
    places = {include.line: place(include) for include in includes}
    pieces = []
    at = 0
    for line, match in include_directives(text):
        path = places.get(line, "")
        if path:
            pieces += [text[at : match.start("operand")], f'"{encoded(path)}"']
            at = match.end("operand")
    return "".join([*pieces, text[at:]])


def include_directives(text: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield line and match of each directive. Only lines with a word of it are tried: a search of all
    lines takes several times as long."""
    line, at = 1, 0
    for begin in sorted({*_lines_with(text, "include"), *_lines_with(text, "import")}):
        match = _INCLUDE.match(text, begin)
        if match:
            line += text.count("\n", at, match.start("operand"))
            at = match.start("operand")
            yield line, match


def _lines_with(text: str, word: str) -> Iterator[int]:
    """Yield where each line with a word begins."""
    at = text.find(word)
    while at >= 0:
        yield text.rfind("\n", 0, at) + 1
        end = text.find("\n", at)
        at = text.find(word, end) if end >= 0 else -1


def path_beside(includer: str, name: str) -> str:
    return os.path.join(os.path.dirname(includer), name)


def _is_same_file(first: str, other: str) -> bool:
    return os.path.normpath(first) == os.path.normpath(other)
