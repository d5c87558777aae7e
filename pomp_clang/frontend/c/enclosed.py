"""The readings of files that are included inside declarations, each with its part of the tree.

The statements of such a file hang in the tree beneath a statement of the file that includes it. The
file may be read several times, with other macros each time. clang numbers the readings of a unit's
files in their order, so each node is known to belong to one of them.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property

from pomp_clang.frontend.c.file_view import Fault, FileView, Position, position_in
from pomp_clang.frontend.c.libclang import Cursor, CursorKind
from pomp_clang.frontend.c.node import Descent, SyntaxNode, nodes_of
from pomp_clang.frontend.c.parsed_unit import ParsedUnit
from pomp_clang.frontend.inclusion import Inclusion
from pomp_clang.frontend.source import OffsetRanges
from pomp_clang.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Protocol

    from pomp_clang.frontend.inclusion import Inclusions

    class WholeTree(Protocol):
        """The parts of the unit's syntax tree that readings need: `SyntaxTree`."""

        @property
        def main(self) -> str: ...
        @property
        def entered(self) -> Inclusions: ...
        @property
        def errors(self) -> Mapping[str, tuple[Fault, ...]]: ...
        @property
        def skipped(self) -> Mapping[str, Sequence[tuple[int, int, int]]]: ...
        def outermost(self, path: str) -> SyntaxNode: ...


LINKAGES = frozenset((CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL))
"""Declarations that others may stand in as they stand in the file itself."""

NAMESPACES = LINKAGES | {CursorKind.NAMESPACE}
"""Declarations in which the others are the same, whichever file they stand in."""

_LABELS = frozenset((CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT, CursorKind.LABEL_STMT))

_END = 1 << 60
"""Behind the end of any file."""

BOTH_WAYS = "its file is included inside a declaration and outside of all"
UNKNOWN = "libclang does not tell which of its file's inclusions a statement belongs to"
SPLIT = "a statement of its file begins or ends in another file"


class UnclearReadingsError(Exception):
    """The nodes of a file cannot be divided among its readings; the message says why."""


@record
class EnclosedReading:
    """One time that the compiler read a file inside a declaration, by the inclusion `way`.

    `root` has the file's nodes as its children. Its cursor is that of the statement or declaration
    around them.
    """

    number: int
    way: Inclusion
    root: SyntaxNode
    skipped: tuple[tuple[int, int], ...]

    @cached_property
    def _passed_over(self) -> OffsetRanges:
        return OffsetRanges(self.skipped)

    def is_live(self, offset: int) -> bool:
        """Return True if the preprocessor kept the text at `offset` this time."""
        return self._passed_over.depth(offset) == 0

    def at(self, start: int, end: int) -> Position:
        """Return the nodes around `start`, and the neighbors of the text from `start` to `end`."""
        path, functions = Descent(self.root, 0, 0).to(start)
        return position_in(path[-1], path, functions, start, end)


@record
class EnclosedView(FileView):
    """A file that is included inside declarations only, once or more often."""

    root: SyntaxNode
    skipped: tuple[tuple[int, int], ...]
    entered: int
    faults: tuple[Fault, ...]
    readings: tuple[EnclosedReading, ...]

    @cached_property
    def places(self) -> dict[int, int]:
        """The places of the readings among all of them, by their numbers."""
        return {reading.number: place for place, reading in enumerate(self.readings)}

    def live(self, offset: int) -> tuple[int, ...]:
        """Return the numbers of the readings that kept the text at `offset`, from 0."""
        return tuple(
            number for number, reading in enumerate(self.readings) if reading.is_live(offset)
        )

    def at(self, start: int, end: int) -> Position:
        live = self.live(start)
        return self.readings[live[0] if live else 0].at(start, end)

    def each_at(self, start: int, end: int) -> list[Position]:
        return [self.readings[number].at(start, end) for number in self.live(start)]

    def functions(self) -> Iterator[Position]:
        """Yield the position of every function and lambda of a file that is read once."""
        if len(self.readings) == 1:
            yield from FileView.functions(self)

    @property
    def outer_faults(self) -> list[Fault]:
        return []

    def routine_at(self, offset: int) -> str:
        names = {self._in_reading(n).routine_at(offset) for n in self.live(offset)}
        return names.pop() if len(names) == 1 else ""

    def is_known(self, offset: int) -> bool:
        return any(self._in_reading(number).is_known(offset) for number in self.live(offset))

    def _in_reading(self, number: int) -> FileView:
        return FileView(self.readings[number].root, (), 1, ())


class EnclosedReadings:
    """The readings of a unit's files inside declarations."""

    def __init__(self, parsed: ParsedUnit, tree: WholeTree) -> None:
        self._parsed = parsed
        self._tree = tree
        self._states: dict[str, set[bool]] = {tree.main: {False}}
        self._of: dict[str, tuple[EnclosedReading, ...] | str] = {}
        self._views: dict[str, EnclosedView] = {}
        self._beneath: dict[int, dict[str, list[tuple[Cursor, Cursor]]]] = {}
        self._labeled: dict[int, Cursor] = {}
        """the parents of labels whose statement ends in another file, by the labels' identities"""

    def encloses(self, path: str) -> bool:
        """Return True if the file is included inside declarations only.

        Raises `UnclearReadingsError` if it is included outside of all declarations as well.
        """
        states = self._inside(path)
        if len(states) > 1:
            raise UnclearReadingsError(BOTH_WAYS)
        return True in states

    def is_inside(self, path: str) -> bool:
        """Return True if some inclusion of the file is inside a declaration."""
        return True in self._inside(path)

    def _inside(self, path: str) -> set[bool]:
        if path not in self._states:
            self._states[path] = set()  # for a file that includes itself
            states = set()
            for way in self._tree.entered.into(path):
                around = self._inside(way.includer) if way.includer else {False}
                if around == {False} and way.includer and self._outer_nodes(way):
                    around = {True}
                states |= around
            self._states[path] = states or {False}
        return self._states[path]

    def view(self, path: str) -> EnclosedView:
        """Return the view of a file that is included inside declarations only.

        Raises `UnclearReadingsError` if its nodes cannot be divided among the readings.
        """
        if path not in self._views:
            self._views[path] = self._view(path)
        return self._views[path]

    def _view(self, path: str) -> EnclosedView:
        readings = self.of(path)
        skipped = tuple(extent for reading in readings for extent in reading.skipped)
        faults = self._tree.errors.get(path, ())
        return EnclosedView(readings[0].root, skipped, len(readings), faults, readings)

    def of(self, path: str) -> tuple[EnclosedReading, ...]:
        """Return the readings of such a file in their order.  Raises `UnclearReadingsError`."""
        if path not in self._of:
            self._of[path] = UNKNOWN  # for a file that includes itself
            try:
                self._of[path] = tuple(self._read(path))
            except UnclearReadingsError as error:
                self._of[path] = str(error)
        readings = self._of[path]
        if isinstance(readings, str):
            raise UnclearReadingsError(readings)
        return readings

    def _read(self, path: str) -> Iterator[EnclosedReading]:
        ways = self._tree.entered.into(path)
        scopes = [self._scope(way) for way in ways]
        beneath: list[tuple[Cursor, Cursor]] = []
        for scope in {id(scope.cursor): scope for scope in scopes}.values():
            beneath += self._in_scope(scope).get(path, ())
        skipped: dict[int, list[tuple[int, int]]] = {}
        for start, end, there in self._tree.skipped.get(path, ()):
            skipped.setdefault(there, []).append((start, end))
        known = [self._parsed.reading(child) for _, child in beneath]
        numbers = {number for number in known if number is not None}
        numbers |= skipped.keys()
        if len(numbers) < len(ways):
            numbers |= self._with_directives.get(path, set())
        if not beneath and not numbers:
            numbers = set(range(-len(ways), 0))  # without nodes, all readings are alike
        if len(numbers) != len(ways):
            raise UnclearReadingsError(UNKNOWN)
        ordered = sorted(numbers)
        nodes: dict[int, list[tuple[Cursor, Cursor]]] = {}
        for number, pair in zip(known, beneath, strict=True):
            if number is None:
                at = bisect_left(ordered, self._parsed.order(pair[1])) - 1
                number = ordered[max(at, 0)]
            nodes.setdefault(number, []).append(pair)
        for number, way, scope in zip(ordered, ways, scopes, strict=True):
            pairs = nodes.get(number, [])
            rows = [self._parsed.rows.of(child) for _, child in pairs]
            children = list(nodes_of(self._parsed, rows, path))
            cursor = self._around([parent for parent, _ in pairs]) or scope.cursor
            root = SyntaxNode(self._parsed, cursor, path, 0, _END, sorted(children, key=_start))
            yield EnclosedReading(number, way, root, tuple(skipped.get(number, ())))

    @cached_property
    def _with_directives(self) -> dict[str, set[int]]:
        return self._parsed.readings()

    def _outer_nodes(self, way: Inclusion) -> Sequence[SyntaxNode]:
        """Return the nodes of a file outside declarations around one of its #include directives.

        Linkage specifications that hold nothing else are left out.
        """
        file = self._tree.outermost(way.includer)
        tops = [file.children[number] for number in file.extents.around(way.offset)]
        if len(tops) > 1:
            there = [top for top in tops if self._parsed.reading(top.cursor) == way.reading]
            tops = there or tops
        if not tops:
            return ()
        path, _ = Descent(tops[0], 0, 0).to(way.offset)
        return () if all(node.kind in LINKAGES for node in path) else path

    def _scope(self, way: Inclusion) -> SyntaxNode:
        """Return the innermost node of the including file around an #include directive."""
        if self._inside(way.includer) == {False}:
            around = self._outer_nodes(way)
        else:
            view = self.view(way.includer)
            place = view.places.get(way.reading)
            root = view.readings[place].root if place is not None else None
            around = Descent(root, 0, 0).to(way.offset)[0] if root else ()
        if not around:
            raise UnclearReadingsError(UNKNOWN)
        return around[-1]

    def _around(self, parents: Sequence[Cursor]) -> Cursor | None:
        """Return the one parent of a reading's nodes; None for a reading without nodes.

        Raises `UnclearReadingsError` if there are several.
        """
        around = {id(parent): parent for parent in parents}
        if len(around) > 1:
            around = {id(parent): parent for parent in map(self._unlabeled, around.values())}
        if len(around) > 1:
            raise UnclearReadingsError(SPLIT)
        return next(iter(around.values()), None)

    def _unlabeled(self, parent: Cursor) -> Cursor:
        """Return the statement whose list of statements a label stands in; other cursors as they are.

        The first statement of a file behind a label is the label's, the others are not.
        """
        while id(parent) in self._labeled:
            parent = self._labeled[id(parent)]
        return parent

    def _in_scope(self, scope: SyntaxNode) -> dict[str, list[tuple[Cursor, Cursor]]]:
        """Return the children of a node by their files, each with its parent.

        The children of a child that ends in another file are among them.
        """
        key = id(scope.cursor)
        if key not in self._beneath:
            by_file: dict[str, list[tuple[Cursor, Cursor]]] = {}
            pending = [scope.cursor]
            while pending:
                parent = pending.pop()
                for child in self._parsed.children(parent):
                    (file, _, _), (last, _, _) = self._parsed.extent(child)
                    by_file.setdefault(file, []).append((parent, child))
                    if file != last:
                        pending.append(child)
                        if child.kind in _LABELS:
                            self._labeled[id(child)] = parent
            self._beneath[key] = by_file
        return self._beneath[key]


def _start(node: SyntaxNode) -> int:
    return node.start
