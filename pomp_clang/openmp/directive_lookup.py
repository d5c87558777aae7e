"""Searches in the tables of directives, for C and Fortran.

The directives in Fortran are the rows of `directives` in Fortran's words, and those of Fortran
alone. OpenMP spells a worksharing loop `do` in Fortran. All else in a row is the same. The form of
a directive decides how its block ends (OpenMP 5.2, section 5.1). An END directive may be left out
behind a loop, a single statement or a BLOCK construct.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pomp_clang.openmp.directives import (
    DIRECTIVES,
    MEASURED,
    SILENT,
    Directive,
    DirectiveForm,
    DirectiveState,
    ImpliedBarrier,
)
from pomp_clang.record import replace

_LONGEST = max(len(words.split()) for words in DIRECTIVES)


def directives_of(fortran: bool) -> Mapping[str, Directive]:
    """Return the directives of a language by their words."""
    if not fortran:
        return DIRECTIVES
    return FORTRAN_DIRECTIVES


def directive_named(name: str) -> Directive:
    """Return the row of a directive, in the words of either language."""
    return directives_of(name not in DIRECTIVES)[name]


def longest_match(
    tokens: list[str], table: Mapping[str, Directive] = MappingProxyType(DIRECTIVES)
) -> Directive | None:
    """Return the directive of a table that the most of the first of `tokens` make, or None."""
    for count in range(min(_LONGEST, len(tokens)), 0, -1):
        directive = table.get(" ".join(tokens[:count]))
        if directive is not None:
            return directive
    return None


WORKSHARE = (
    Directive("workshare", DirectiveForm.BLOCK, DirectiveState.MEASURED, "Workshare", ("enter", "exit"), barrier=ImpliedBarrier.NOWAIT, opaque=True),
    Directive("parallel workshare", DirectiveForm.BLOCK, DirectiveState.MEASURED, leaves=("parallel", "workshare"), opaque=True),
)  # fmt: skip
"""A block of array assignments, in which no call may stand (OpenMP 5.2, section 11.4)."""

ALLOCATORS = Directive("allocators", DirectiveForm.STATEMENT, DirectiveState.SILENT)
"""One ALLOCATE statement (OpenMP 5.2, section 6.7)."""


def in_fortran(name: str) -> str:
    """Return a directive's words as Fortran spells them."""
    return " ".join("do" if word == "for" else word for word in name.split())


def _row(row: Directive) -> Directive:
    name = in_fortran(row.words)
    if name == row.words:
        return row
    leaves = tuple(map(in_fortran, row.leaves))
    return replace(row, words=name, leaves=leaves)


FORTRAN_MEASURED = (*map(_row, MEASURED), *WORKSHARE)
"""The directives that are measured."""

FORTRAN_DIRECTIVES: dict[str, Directive] = {
    row.words: row for row in (*FORTRAN_MEASURED, *map(_row, SILENT), ALLOCATORS)
}
"""All directives by their words."""
