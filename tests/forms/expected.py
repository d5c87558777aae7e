"""Programs with expectations for their measurement, line by line.

A comment at the end of a directive's line is a row of expectations:

    //= parallel for 4, task 9    these are measured, so often
    //! no-call                   one that is named, with its reason
    //-                           one that is left as it is, and has no events

`clang:`, `flang:` or `gcc:` in front makes it a row for that compiler alone. In front of the first
line of code, `// only:` names the one compiler that accepts the program. `// options:` adds options
for the compiler, `// pomp:` options for pomp-clang. In Fortran these comments begin with `!`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"

_ROW = re.compile(r"(?://|/\*)([=!-])(?: (clang|gcc):)?\s*(.*?)\s*(?:\*/|\\?$)")
_FORTRAN_ROW = re.compile(r"!([=!-])(?: (flang|gcc):| |$)\s*(.*?)\s*$")
_ONLY = re.compile(r"^(?://|!) only: (\w+)$", re.M)
_OURS = re.compile(r"^(?://|!) pomp: (--.*)$", re.M)
_OPTIONS = re.compile(r"^(?://|!) options: (?:(clang|flang|gcc) )?(-.*)$", re.M)
_INCLUDE = re.compile(r"^ *#? *include ['\"]([^'\"]+\.inc)", re.M | re.I)
FORTRAN = frozenset((".f", ".F", ".f90", ".F90"))


@dataclass(frozen=True, slots=True)
class Row:
    """The expectation for one line; `events` of a `=` row are kinds with their counts."""

    sign: str
    line: int
    words: str

    @property
    def events(self) -> Iterator[tuple[str, int]]:
        for item in filter(None, self.words.split(", ")):
            kind, _, count = item.rpartition(" ")
            yield kind, int(count)


@dataclass(frozen=True, slots=True)
class Program:
    """A source with its rows, for one family of compilers."""

    path: Path
    family: str

    @property
    def is_taken(self) -> bool:
        only = _ONLY.search(self.path.read_text())
        return only is None or only.group(1) == self.family

    @property
    def options(self) -> list[str]:
        matches = _OPTIONS.finditer(self.path.read_text())
        return [w for m in matches if m.group(1) in (None, self.family) for w in m.group(2).split()]

    @property
    def our_words(self) -> list[str]:
        return [word for line in _OURS.findall(self.path.read_text()) for word in line.split()]

    @property
    def files(self) -> list[Path]:
        """Return the program and the files that its INCLUDE lines name."""
        names = _INCLUDE.findall(self.path.read_text()) if self.path.suffix in FORTRAN else []
        return [self.path, *(self.path.parent / name for name in sorted(set(names)))]

    @property
    def rows(self) -> list[Row]:
        """Return the rows for the family, or all rows without a family."""
        pattern = _FORTRAN_ROW if self.path.suffix in FORTRAN else _ROW
        return [
            Row(match.group(1), number, match.group(3))
            for path in self.files
            for number, line in enumerate(path.read_text().splitlines(), 1)
            for match in pattern.finditer(line)
            if not self.family or match.group(2) in (None, self.family)
        ]

    def measured(self) -> Counter[tuple[int, str, int]]:
        """Return (line, kind, count) of each measured construct."""
        return Counter((r.line, *e) for r in self.rows if r.sign == "=" for e in r.events)

    def named(self) -> Counter[tuple[int, str]]:
        """Return (line, reason) of each construct with a warning."""
        counter: Counter[tuple[int, str]] = Counter()
        for row in self.rows:
            if row.sign == "!":
                counter.update((row.line, reason) for reason in row.words.split(", "))
        return counter
