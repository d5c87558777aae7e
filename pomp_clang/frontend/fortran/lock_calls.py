"""The calls of OpenMP's lock routines in a Fortran text, by any name that USE gives them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pomp_clang.frontend.extent import Extent
from pomp_clang.frontend.fortran.classify import closing
from pomp_clang.frontend.fortran.statements import Statement, masked
from pomp_clang.openmp.routines import ROUTINES, Routine
from pomp_clang.record import record

_LOCK = re.compile(r"(?<![\w%])omp_(?:set|unset|test)_(?:nest_)?lock\b", re.I)
_RENAMED = re.compile(r"([^\W\d]\w*)=>(omp_(?:set|unset|test)_(?:nest_)?lock)(?!\w)")


@record
class LockCall:
    """A call of a routine; `name` and `arguments` (with parentheses) are offsets in the file."""

    routine: Routine
    name: Extent
    arguments: Extent
    argument: str


def renamed(compact: str) -> dict[str, str]:
    """Return the routines that a USE statement renames, by their new names in lower case."""
    if not compact.startswith("use") or "_lock" not in compact:
        return {}
    return {match[1]: match[2] for match in _RENAMED.finditer(compact)}


def lock_calls(statement: Statement, names: Mapping[str, str]) -> Iterator[LockCall]:
    """Yield the calls in a statement; `names` are the routines' further names."""
    if "_lock" not in statement.compact and not any(n in statement.compact for n in names):
        return
    text = masked(statement.text)
    patterns = [_LOCK, *(re.compile(rf"(?<![\w%]){name}\b", re.I) for name in names)]
    for pattern in patterns:
        for match in pattern.finditer(text):
            opening = match.end() + len(text[match.end() :]) - len(text[match.end() :].lstrip())
            end = closing(text, opening) if text[opening : opening + 1] == "(" else -1
            if end < 0:
                continue
            word = match.group().lower()
            at = statement.first
            yield LockCall(
                ROUTINES[names.get(word, word)],
                _extent(statement, at + match.start(), at + match.end()),
                _extent(statement, at + opening, at + end),
                " ".join(statement.text[opening + 1 : end - 1].split()),
            )


def _extent(statement: Statement, first: int, last: int) -> Extent:
    return Extent(statement.line.offset(first), statement.line.offset(last - 1) + 1)
