"""The calls of OpenMP's lock routines in a Fortran text, by any name that USE gives them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pomp_clang.frontend.extent import Extent
from pomp_clang.frontend.fortran.classify import closing
from pomp_clang.frontend.fortran.statements import Statement, masked
from pomp_clang.openmp.routines import ROUTINES, Routine
from pomp_clang.record import record

_LOCK = r"omp_(?:set|unset|test)_(?:nest_)?lock"
_CALLED = r"(?<![\w%])(?:call)?({})(?=\()"
"""The pattern of a routine's name in a statement without blanks."""

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
    places = [at for at, character in enumerate(text) if not character.isspace()]
    for match in re.finditer(_CALLED.format("|".join((_LOCK, *names))), statement.compact):
        opening = places[match.end()]
        end = closing(text, opening)
        if end < 0:
            continue
        name = match[1]
        at = statement.first
        first, last = places[match.start(1)], places[match.end(1) - 1] + 1
        yield LockCall(
            ROUTINES[names.get(name, name)],
            _extent(statement, at + first, at + last),
            _extent(statement, at + opening, at + end),
            " ".join(statement.text[opening + 1 : end - 1].split()),
        )


def _extent(statement: Statement, first: int, last: int) -> Extent:
    return Extent(statement.line.offset(first), statement.line.offset(last - 1) + 1)
