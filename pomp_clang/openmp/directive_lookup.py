"""Searches in the tables of directives, for C and Fortran.

A C compile loads no rows of Fortran.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pomp_clang.openmp.directives import DIRECTIVES, Directive

_LONGEST = max(len(words.split()) for words in DIRECTIVES)


def directives_of(fortran: bool) -> Mapping[str, Directive]:
    """Return the directives of a language by their words."""
    if not fortran:
        return DIRECTIVES
    from pomp_clang.openmp.fortran_directives import FORTRAN_DIRECTIVES

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
