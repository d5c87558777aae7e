"""Which file of a unit includes which, and the texts that have to include copies."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

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


class Graph:
    """The project's files of one unit.

    `texts` has the text of each by the name that the compiler gave it, the main file's
    among them; `folders` are those that headers are looked for in.
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

    def text(self, path: str) -> str:
        """A file's text."""
        return self._texts[path]

    def includes(self, path: str) -> tuple[Include, ...]:
        """What a file's directives include, those that an include guard made idle too."""
        text = self._texts[path]
        found = []
        for line, match in _directives(text):
            quoted, angled = match["quoted"], match["angled"]
            name = decoded(quoted or angled or "")
            resolved = self._entered.get((path, line)) or self._look_up(
                path, name, quoted is not None
            )
            if resolved:
                beside = quoted is not None and _same(_beside(path, name), resolved)
                spelt = _beside(self.spelt(path), name) if beside else resolved
                found.append(Include(line, resolved, spelt, beside))
        return tuple(found)

    def spelt(self, path: str) -> str:
        """A file's name as gcc gives it: one beside a source of the working directory has
        no `./` before it, as in clang."""
        way = self._first.get(path)
        if path == self.main or way is None or way.includer not in self._texts:
            return path
        for line, match in _directives(self._texts[way.includer]):
            name = match["quoted"]
            if line == way.line and name and _same(_beside(way.includer, name), path):
                return _beside(self.spelt(way.includer), name)
        return path

    def relative(self) -> Iterator[str]:
        """The headers whose names depend on the working directory."""
        return (path for path in self._texts if path != self.main and not os.path.isabs(path))

    def leading_to(self, wanted: Iterable[str]) -> set[str]:
        """The files themselves, and all that include one of them, through others too.

        A file that only the command line includes is led to by no other.
        """
        edges = {path: {i.path for i in self.includes(path)} for path in self._texts}
        found = set(wanted)
        while True:
            more = {path for path in edges if path not in found and edges[path] & found}
            if not more:
                return found
            found |= more

    def names(self, path: str) -> tuple[str, ...]:
        """Every name by which a directive of the project may ask for a file."""
        base = os.path.basename(path)
        found = {path: None}
        for includer, text in self._texts.items():
            if base not in text:
                continue
            for _, match in _directives(text):
                name = match["quoted"] or match["angled"] or ""
                if os.path.basename(name) == base:
                    for spelt in (_beside(includer, name), *self._in_folders(name)):
                        if os.path.realpath(spelt) == os.path.realpath(path):
                            found[spelt] = None
        return tuple(found)

    def _look_up(self, includer: str, name: str, quoted: bool) -> str:
        """What the compiler would find, if that is one of the unit's files; or ""."""
        beside = [_beside(includer, name)] if quoted else []
        for candidate in [*beside, *self._in_folders(name)] if name else []:
            if os.path.isfile(candidate):
                return self._files.get(os.path.realpath(candidate), "")
        return ""

    def _in_folders(self, name: str) -> list[str]:
        return [os.path.join(folder, name) for folder in self._folders]


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
