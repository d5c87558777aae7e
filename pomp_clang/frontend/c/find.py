"""Search for the constructs of a C or C++ unit.

The lexer tells where directives and lock calls stand. The syntax tree tells which of them are live
and which statement follows each. Nesting, section separators and the pairs of user regions follow
from offsets alone. Files may be included inside declarations.
"""

from __future__ import annotations

from itertools import chain

from pomp_clang.frontend.c.declaration_site import NO_CALLS, among_device_code, device_names
from pomp_clang.frontend.c.enclosed import NAMESPACES, EnclosedReading, EnclosedView
from pomp_clang.frontend.c.file_finder import FileFinder
from pomp_clang.frontend.c.files import read_unit
from pomp_clang.frontend.c.macros import Macros
from pomp_clang.frontend.c.parse import main_name
from pomp_clang.frontend.c.source import CSourceText
from pomp_clang.frontend.c.unseen import unseen
from pomp_clang.frontend.constructs import (
    Candidates,
    Constructs,
    Enclosure,
    FoundConstructs,
    all_functions,
)
from pomp_clang.frontend.inclusion import InclusionGraph
from pomp_clang.frontend.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from pomp_clang.frontend.c.file_view import Position
    from pomp_clang.frontend.c.surroundings import FileSurroundings


class Enclosures:
    """The enclosures of a unit's files; what surrounds constructs in a file is given by its path."""

    def __init__(self, surroundings: Mapping[str, FileSurroundings]) -> None:
        self._surroundings = surroundings
        self._of: dict[str, tuple[Enclosure, ...]] = {}

    def of(self, path: str) -> tuple[Enclosure, ...]:
        """Return the places of a file's readings, in their order; () for a file outside
        declarations."""
        view = self._surroundings[path].view
        if not isinstance(view, EnclosedView):
            return ()
        if path not in self._of:
            self._of[path] = tuple(self._place(reading) for reading in view.readings)
        return self._of[path]

    def _place(self, reading: EnclosedReading) -> Enclosure:
        way = reading.way
        includer = self._surroundings[way.includer]
        place = includer.source.place(way.offset)
        view = includer.view
        if not isinstance(view, EnclosedView):
            position = view.at(way.offset, way.offset)
            site, error = includer.site_and_error(position)
            return Enclosure(way.includer, site, _places(position, place), error)
        around = self.of(way.includer)
        number = view.places[way.reading]
        position = view.readings[number].at(way.offset, way.offset)
        outer = around[number]
        site = includer.sites.within(position, outer.site)
        error = outer.error or includer.enclosed_error(position, way.offset)
        return Enclosure(outer.file, site, _places(position, place, *outer.places), error)


def _places(position: Position, *places: tuple[str, int]) -> tuple[tuple[str, int], ...]:
    """Return the places of an inclusion; none if only namespaces are around it, for its file is the
    same whoever includes it."""
    return () if all(node.kind in NAMESPACES for node in position.path) else places


def find(unit: Unit, candidates: Candidates = all_functions) -> FoundConstructs:
    """Find the constructs of the unit, and the functions that are candidates, or all.

    Raises `UnitError` if it cannot be parsed.
    """
    files = read_unit(unit, candidates)
    if files is None:
        return _nothing(unit)
    device = among_device_code(files)
    names = device_names(files, device)
    macros = files.preprocessed.macros if files.preprocessed else Macros("", bool)
    no_calls = macros.spelling(NO_CALLS)
    finders = [
        FileFinder(unit, files, file, file.path in device, names, no_calls, candidates)
        for file in (files.main, *files.headers)
    ]
    enclosures = Enclosures({finder.path: finder.surroundings for finder in finders})
    for finder in finders:
        finder.surroundings.enclosures = enclosures.of(finder.path)
    main, *headers = [finder.constructs() for finder in finders]
    notes = [*files.notes, *chain.from_iterable(finder.notes for finder in finders)]
    notes += unseen(files, (main, *headers), notes)
    outermost = {place.file for header in headers if header.items for place in header.enclosures}
    with_constructs = tuple(
        header for header in headers if header.items or header.path in outermost
    )
    return FoundConstructs(main, tuple(notes), with_constructs, files.graph)


def _nothing(unit: Unit) -> FoundConstructs:
    """Return the empty result for a unit without directives and lock calls."""
    name = "<stdin>" if unit.path == "-" else unit.path
    source, path = CSourceText(name, unit.text), main_name(unit)
    empty = Constructs(source, unit.language, (), (), path)
    return FoundConstructs(empty, (), (), InclusionGraph(path, {path: unit.text}, (), ()))
