"""Fortran texts in, found constructs out."""

from __future__ import annotations

from pomp_clang.frontend.constructs import FoundConstructs
from pomp_clang.frontend.fortran.find import find
from pomp_clang.frontend.source import text_of
from pomp_clang.frontend.unit import SourceForm, Unit

FREE = SourceForm(fixed=False, columns=132)
FIXED = SourceForm(fixed=True, columns=72)


def found_in(text: str, form: SourceForm = FREE) -> FoundConstructs:
    """Find the constructs of a text."""
    return find(Unit("a.f90", text_of(text.encode()), "fortran", (), form=form))


def extents(text: str, form: SourceForm = FREE) -> list[str]:
    """Return `kind first-last` for each construct, indented by its nesting, lines from 1."""
    constructs = found_in(text, form).constructs
    source = constructs.source
    return [
        "  " * len(constructs.around(item))
        + f"{item.kind} {source.line(item.begin.start)}-{source.line(item.extent.end - 1)}"
        for item in constructs.items
    ]
