"""The text of a Fortran unit, whose lines have the numbers that line markers give them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pomp_clang.frontend.source import SourceText
from pomp_clang.frontend.source_bytes import decoded

_MARKER = re.compile(r'^#(?:[ \t]*line)?[ \t]+(\d+)[ \t]+"((?:[^"\\\n]|\\.)*)"', re.M)


class FortranSourceText(SourceText):
    """The text of a unit, with `# line "file"` markers."""

    def line_directives(self) -> Iterator[tuple[int, int, str]]:
        """Yield the line of each marker, the number and the file that it gives the line behind
        it."""
        line, at = 1, 0
        for match in _MARKER.finditer(self.text):
            line += self.text.count("\n", at, match.start())
            at = match.start()
            yield line, int(match[1]), decoded(match[2])
