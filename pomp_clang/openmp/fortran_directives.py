"""The directives in Fortran: the rows of `directives` in Fortran's words, and those of Fortran alone.

OpenMP spells a worksharing loop `do` in Fortran. All else in a row is the same. The form of a
directive decides how its block ends (OpenMP 5.2, section 5.1). An END directive may be left out
behind a loop, a single statement or a BLOCK construct.
"""

from __future__ import annotations

from pomp_clang.openmp.directives import (
    MEASURED,
    SILENT,
    Directive,
    DirectiveForm,
    DirectiveState,
    ImpliedBarrier,
)
from pomp_clang.record import replace

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
