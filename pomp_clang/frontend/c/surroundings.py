"""What surrounds a file's constructs: the declaration in which each stands, and what keeps it from being
measured there.
"""

from __future__ import annotations

from pomp_clang.frontend.c.declaration_site import DeclarationSites
from pomp_clang.frontend.c.enclosed import EnclosedView
from pomp_clang.frontend.c.file_view import Position
from pomp_clang.frontend.c.files import UnitFile
from pomp_clang.frontend.c.parse_errors import ParseErrors
from pomp_clang.frontend.c.structured_block import StructuredBlocks, is_parted
from pomp_clang.frontend.constructs import DeclarationSite, Enclosure
from pomp_clang.frontend.directive_text import DirectiveText
from pomp_clang.frontend.source import Extent
from pomp_clang.record import replace

EXTERNAL = "its file is included within an inline function of external linkage"


class FileSurroundings:
    """What surrounds the constructs of one file.

    `enclosures` are those of the file's readings inside declarations, in their order.
    """

    def __init__(
        self,
        file: UnitFile,
        sites: DeclarationSites,
        parse_errors: ParseErrors,
        blocks: StructuredBlocks,
    ) -> None:
        self.source = file.source
        self.view = file.view
        self.sites = sites
        self.enclosures: tuple[Enclosure, ...] = ()
        self._file = file
        self._parse_errors = parse_errors
        self._blocks = blocks

    @property
    def is_once_in_namespaces(self) -> bool:
        """Whether the file is included once, and only namespaces are around it: its functions are
        those of a file outside declarations."""
        return len(self.enclosures) == 1 and not self.enclosures[0].places

    def site_and_error(self, position: Position) -> tuple[DeclarationSite, str]:
        """Return the declaration site of a position in a declaration, and the error that makes the
        tree doubtful there, or ""."""
        return self.sites.of(position), self._parse_errors.error(position)

    def enclosed_error(self, position: Position, offset: int) -> str:
        """Return the error that makes the tree doubtful at an offset, or "", for a file that is
        included inside declarations."""
        return self._parse_errors.of_enclosed(position, Extent(offset, offset), None)

    def varies(
        self,
        pragma: DirectiveText,
        position: Position,
        following: int,
        block: Extent | None,
    ) -> bool:
        """Return True if a header's directive changes with each inclusion of the header.

        It does if its block differs, or if it needs what the header cannot have twice.
        """
        if self.view.entered < 2:
            return False
        if block is not None and is_parted(self.view, self._file.pragmas, pragma, block):
            return True
        times = self.view.times(pragma.start)
        if times < 2:
            return False
        others = self.view.each_at(pragma.start, pragma.end)
        if len(others) < times or self.site(position, pragma.start).external_inline:
            return True
        return any(
            other.listed != position.listed
            or other.overlaps_next != position.overlaps_next
            or (block is not None and self._blocks.of(pragma, other, following) != block)
            for other in others
        )

    def obstacle(self, position: Position, begin: Extent, block: Extent | None) -> tuple[str, str]:
        """Return why the construct at a position is not measured, and the reason for the note; two
        empty texts if it is."""
        if self.enclosures and any(self.enclosed_obstacle(begin.start)):
            return self.enclosed_obstacle(begin.start)
        errors = self._parse_errors
        find_error = errors.of_enclosed if self.enclosures else errors.of
        error = find_error(position, begin, block)
        if error:
            return error, "parse"
        if block is not None and position.overlaps_next:
            return "its block is only a part of what a macro makes", "block"
        return "", ""

    def enclosed_obstacle(self, offset: int) -> tuple[str, str]:
        """Return why no construct at an offset is measured, for what the file is included in, as
        `obstacle` does."""
        places = [self.enclosures[number] for number in self.readings(offset)]
        if any(place.site.external_inline for place in places):
            return EXTERNAL, "header"
        error = next((place.error for place in places if place.error), "")
        return error, "parse" if error else ""

    def site(self, position: Position, offset: int) -> DeclarationSite:
        """Return the declaration site of what stands at a position: of all readings, in a file that is
        included inside declarations."""
        if not position.in_code:
            return self.sites.nowhere()
        if not self.enclosures:
            return self.sites.of(position)
        around = [self.enclosures[number].site for number in self.readings(offset)]
        names = {site.function for site in around}
        joined = replace(
            around[0],
            function=names.pop() if len(names) == 1 else "",
            declared_at=0,
            from_directive=None,
            external_inline=any(site.external_inline for site in around),
            untouchable=next((site.untouchable for site in around if site.untouchable), ""),
        )
        return self.sites.within(position, joined)

    def readings(self, offset: int) -> tuple[int, ...]:
        """Return the numbers of the readings inside declarations that have the text at an offset."""
        return self.view.live(offset) if isinstance(self.view, EnclosedView) else ()

    def reading_functions(self, start: int, end: int) -> tuple[str, ...]:
        """Return the function around an extent in each reading that has the extent."""
        if not self.enclosures:
            return ()
        positions = self.view.each_at(start, end)
        return tuple(
            position.function_name or self.enclosures[number].site.function
            for number, position in zip(self.readings(start), positions, strict=True)
        )
