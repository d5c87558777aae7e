"""Which file of a unit includes which, and the texts that have to include copies."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from pomp_clang.frontend.octets import decoded, encoded
from pomp_clang.frontend.unit import Header, Include
from pomp_clang.record import record

_INCLUDE = re.compile(
    r"^[ \t]*(?:#|%:)[ \t]*(?:include|include_next|import)\b[ \t]*"
    r'(?P<operand>"(?P<quoted>[^"\n]*)"|<(?P<angled>[^>\n]*)>|[A-Za-z_][^\n]*)',
    re.M,
)
_FOLDER = ("-I", "-iquote", "-isystem", "-idirafter")


@record
class Inclusion:
    """The compiler entered the file `path` at a line of `includer`; that is "" for what the
    command line includes."""

    path: str
    includer: str
    line: int
    offset: int


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
        found = set(paths)
        pending = list(found)
        while pending:
            more = {way.path for way in self._by.get(pending.pop(), ())} - found
            found |= more
            pending += more
        return found


class Graph:
    """The project's files of one unit.

    `texts` has the text of each by the name that the compiler gave it, the main file's
    among them; `folders` are those that headers are looked for in.  What is asked for is
    worked out once.
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
        self._entered: dict[tuple[str, int], str] = {}
        self._first: dict[str, Inclusion] = {}
        for each in entered:
            self._entered.setdefault((each.includer, each.line), each.path)
            self._first.setdefault(each.path, each)
        self._files = {os.path.realpath(path): path for path in texts}
        self._directives: dict[str, list[tuple[int, str, bool]]] = {}
        self._includes: dict[str, tuple[Include, ...]] = {}
        self._spelt: dict[str, str] = {main: main}
        self._found: dict[tuple[str, str], str] = {}

    def text(self, path: str) -> str:
        """A file's text."""
        return self._texts[path]

    def includes(self, path: str) -> tuple[Include, ...]:
        """What a file's directives include, those that an include guard made idle too."""
        if path not in self._includes:
            self._includes[path] = tuple(self._included(path))
        return self._includes[path]

    def _included(self, path: str) -> Iterator[Include]:
        for line, name, quoted in self._asked(path):
            resolved = self._entered.get((path, line)) or self._look_up(path, name, quoted)
            if resolved:
                beside = quoted and _same(_beside(path, name), resolved)
                spelt = _beside(self.spelt(path), name) if beside else resolved
                yield Include(line, resolved, spelt, beside)

    def _asked(self, path: str) -> list[tuple[int, str, bool]]:
        """The lines of a file's directives, with the names that they ask for, and whether in
        quotes."""
        if path not in self._directives:
            self._directives[path] = [
                (
                    line,
                    decoded(match["quoted"] or match["angled"] or ""),
                    match["quoted"] is not None,
                )
                for line, match in _directives(self._texts[path])
            ]
        return self._directives[path]

    def spelt(self, path: str) -> str:
        """A file's name as gcc gives it: one beside a source of the working directory has
        no `./` before it, as in clang."""
        if path not in self._spelt:
            self._spelt[path] = self._spell(path)
        return self._spelt[path]

    def _spell(self, path: str) -> str:
        way = self._first.get(path)
        if way is None or way.includer not in self._texts:
            return path
        asked = self._asked(way.includer)
        at = bisect_left(asked, way.line, key=_line)
        line, name, quoted = asked[at] if at < len(asked) else (0, "", False)
        if line == way.line and quoted and _same(_beside(way.includer, name), path):
            return _beside(self.spelt(way.includer), name)
        return path

    def relative(self) -> Iterator[str]:
        """The headers whose names depend on the working directory."""
        return (path for path in self._texts if path != self.main and not os.path.isabs(path))

    def leading_to(self, wanted: Iterable[str]) -> set[str]:
        """The files themselves, and all that include one of them, through others too.

        A file that only the command line includes is led to by no other.
        """
        includers: dict[str, list[str]] = {}
        for path in self._texts:
            for include in self.includes(path):
                includers.setdefault(include.path, []).append(path)
        found = set(wanted)
        pending = list(found)
        while pending:
            more = set(includers.get(pending.pop(), ())) - found
            found |= more
            pending += more
        return found

    def names(self, path: str) -> tuple[str, ...]:
        """Every name by which a directive of the project may ask for a file."""
        real = os.path.realpath(path)
        found = {path: None}
        for spelt in self._names.get(os.path.basename(path), ()):
            if os.path.realpath(spelt) == real:
                found[spelt] = None
        return tuple(found)

    @cached_property
    def _names(self) -> dict[str, dict[str, None]]:
        """What the project's directives may mean, by the last part of the name."""
        found: dict[str, dict[str, None]] = {}
        for includer in self._texts:
            for _, name, _ in self._asked(includer):
                spelt = (_beside(includer, name), *self._in_folders(name))
                found.setdefault(os.path.basename(name), {}).update(dict.fromkeys(spelt))
        return found

    def _look_up(self, includer: str, name: str, quoted: bool) -> str:
        """What the compiler would find, if that is one of the unit's files; or ""."""
        key = os.path.dirname(includer) if quoted else "<", name
        if key not in self._found:
            beside = [_beside(includer, name)] if quoted else []
            candidates = [*beside, *self._in_folders(name)] if name else []
            real = next((os.path.realpath(c) for c in candidates if os.path.isfile(c)), "")
            self._found[key] = self._files.get(real, "")
        return self._found[key]

    def _in_folders(self, name: str) -> list[str]:
        return [os.path.join(folder, name) for folder in self._folders]


def _offset(way: Inclusion) -> int:
    return way.offset


def _line(asked: tuple[int, str, bool]) -> int:
    return asked[0]


def with_copies(
    graph: Graph, texts: Mapping[str, str], named_by_line: bool = False
) -> tuple[tuple[Header, ...], tuple[Include, ...]]:
    """The headers that have a new text with those that lead to them, and what the main
    file includes; nothing if there are none.

    `named_by_line` brings in all those that a relative name leads to: of a copy's headers
    none is found by the name that the original finds it by.
    """
    wanted = {*texts, *(graph.relative() if named_by_line else ())}
    if not wanted:
        return (), ()
    headers = [
        Header(
            path=path,
            text=texts.get(path) or graph.text(path),
            changed=path in texts,
            spelt=graph.spelt(path),
            names=graph.names(path) if path in texts else (),
            includes=graph.includes(path),
        )
        for path in sorted(graph.leading_to(wanted) - {graph.main})
    ]
    return tuple(headers), graph.includes(graph.main)


def folders(arguments: Iterable[str]) -> Iterator[str]:
    """The folders that a compiler's arguments name for headers, in their order."""
    waiting = False
    for word in arguments:
        option = next((f for f in _FOLDER if word.startswith(f)), "")
        if waiting:
            yield word
        elif option and len(word) > len(option):
            yield word.removeprefix(option)
        waiting = not waiting and word in _FOLDER


def redirected(text: str, includes: Iterable[Include], place: Callable[[Include], str]) -> str:
    """The text with the file that `place` names included at each directive for which it
    names one; lines stay."""
    wanted = {each.line: place(each) for each in includes}
    pieces = []
    at = 0
    for line, match in _directives(text):
        path = wanted.get(line, "")
        if path:
            pieces += [text[at : match.start("operand")], f'"{encoded(path)}"']
            at = match.end("operand")
    return "".join([*pieces, text[at:]])


def _directives(text: str) -> Iterator[tuple[int, re.Match[str]]]:
    line, at = 1, 0
    for match in _INCLUDE.finditer(text):
        line += text.count("\n", at, match.start("operand"))
        at = match.start("operand")
        yield line, match


def _beside(includer: str, name: str) -> str:
    return os.path.join(os.path.dirname(includer), name)


def _same(one: str, other: str) -> bool:
    return os.path.normpath(one) == os.path.normpath(other)
