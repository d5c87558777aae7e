"""The places at which files are included inside declarations."""

from __future__ import annotations

from pomp_clang.frontend.c.enclosed import EnclosedReading, EnclosedView
from pomp_clang.frontend.constructs import Enclosure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from pomp_clang.frontend.c.file_finder import FileFinder


class Enclosures:
    """The enclosures of a unit's files, whose finders are given by their paths."""

    def __init__(self, finders: Mapping[str, FileFinder]) -> None:
        self._finders = finders
        self._of: dict[str, tuple[Enclosure, ...]] = {}

    def of(self, finder: FileFinder) -> tuple[Enclosure, ...]:
        """Return the places of a file's readings, in their order; () for a file outside
        declarations."""
        view = finder.view
        if not isinstance(view, EnclosedView):
            return ()
        if finder.path not in self._of:
            self._of[finder.path] = tuple(self._place(reading) for reading in view.readings)
        return self._of[finder.path]

    def _place(self, reading: EnclosedReading) -> Enclosure:
        way = reading.way
        includer = self._finders[way.includer]
        place = includer.source.place(way.offset)
        view = includer.view
        if not isinstance(view, EnclosedView):
            position = view.at(way.offset, way.offset)
            site, error = includer.site_and_error(position)
            return Enclosure(way.includer, site, (place,), error)
        around = self.of(includer)
        number = view.places[way.reading]
        position = view.readings[number].at(way.offset, way.offset)
        outer = around[number]
        site = includer.sites.within(position, outer.site)
        error = outer.error or includer.enclosed_error(position, way.offset)
        return Enclosure(outer.file, site, (place, *outer.places), error)
