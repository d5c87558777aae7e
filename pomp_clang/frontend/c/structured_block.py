"""The structured block of a directive: the statement or directive that follows it."""

from __future__ import annotations

from pomp_clang.frontend.c.file_view import Position
from pomp_clang.frontend.c.files import UnitFile
from pomp_clang.frontend.c.macros import closing
from pomp_clang.frontend.directive_text import DirectiveText, read_directive
from pomp_clang.frontend.extent import Extent
from pomp_clang.frontend.inclusion import Inclusions
from pomp_clang.openmp.directives import DirectiveForm


class StructuredBlocks:
    """The structured blocks of one file, whose unit has the inclusions `entered`."""

    def __init__(self, file: UnitFile, entered: Inclusions) -> None:
        self._file = file
        self._entered = entered

    def of(self, pragma: DirectiveText, position: Position, number: int) -> Extent | None:
        """Return the structured block: the next statement, or a standalone directive.

        Return None if another file holds the block or its end.
        """
        around = position.path[-1].end if position.path else len(self._file.source.text)
        limit = position.next.start if position.next else around
        for at in range(number, len(self._file.pragmas)):
            other = self._file.pragmas[at]
            if other.start >= limit:
                break
            directive = read_directive(other.body).directive
            if directive is not None and directive.form is DirectiveForm.STANDALONE:
                inside = not position.path or other.start < position.path[-1].end
                return Extent(other.start, other.end) if inside else None
        following = position.next
        if following is None or following.end == following.start:
            return None
        if any(self._entered.between(self._file.path, pragma.end, following.start)):
            return None
        return self.ended(following.start, following.end)

    def ended(self, start: int, end: int) -> Extent:
        """Return the extent of a statement with its semicolon, which the tree leaves out.

        If the statement ends among the arguments of a macro, the extent goes to the end of the
        macro's use.
        """
        text = self._file.source.text
        while self.first_from(end) in (")", ","):
            outside = closing(self._file.source, end, depth=1)
            if outside is None:
                break
            end = outside
        if text[end - 1] != ";":
            after = self._file.source.skip_blank(end)
            near = text[end - 1] != "}" or "\n" not in text[end:after]
            if near and text[after : after + 1] == ";":
                return Extent(start, after + 1)
        return Extent(start, end)

    def first_from(self, offset: int) -> str:
        """Return the first character from an offset on that is no space or comment."""
        at = self._file.source.skip_blank(offset)
        return self._file.source.text[at : at + 1]
