"""Programs that say themselves what is measured in them, line by line.

A comment at the end of a directive's line is a row of expectations:

    //= parallel for 4, task 9    these are measured, so often
    //! no-call                   one that is named, with its reason
    //-                           one that is left as it is, and has no events

`clang:` or `gcc:` in front makes it a row for that compiler alone; in front of the
first line of code, `// only:` names the compiler that takes the program at all and
`// options:` what it is given beside the usual, `// pomp:` what pomp-clang is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"

_ROW = re.compile(r"(?://|/\*)([=!-])(?: (clang|gcc):)?\s*(.*?)\s*(?:\*/|\\?$)")
_ONLY = re.compile(r"^// only: (\w+)$", re.M)
_OURS = re.compile(r"^// pomp: (--.*)$", re.M)
_OPTIONS = re.compile(r"^// options: (?:(clang|gcc) )?(-.*)$", re.M)


@dataclass(frozen=True, slots=True)
class Row:
    """What is expected of one line; `events` of a `=` row are kinds with their counts."""

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
        found = _OPTIONS.finditer(self.path.read_text())
        return [w for m in found if m.group(1) in (None, self.family) for w in m.group(2).split()]

    @property
    def ours(self) -> list[str]:
        return [word for line in _OURS.findall(self.path.read_text()) for word in line.split()]

    @property
    def rows(self) -> list[Row]:
        """Those for the family; all if there is none."""
        return [
            Row(match.group(1), number, match.group(3))
            for number, line in enumerate(self.path.read_text().splitlines(), 1)
            for match in _ROW.finditer(line)
            if not self.family or match.group(2) in (None, self.family)
        ]

    def measured(self) -> Counter[tuple[int, str, int]]:
        """(line, kind, count) of each construct that is measured."""
        return Counter((r.line, *e) for r in self.rows if r.sign == "=" for e in r.events)

    def named(self) -> Counter[tuple[int, str]]:
        """(line, reason) of each construct that is named."""
        found: Counter[tuple[int, str]] = Counter()
        for row in self.rows:
            if row.sign == "!":
                found.update((row.line, reason) for reason in row.words.split(", "))
        return found
