"""The source languages that are instrumented, and what each of them provides.

All else is the same for every language. A compile imports the modules of its own language alone.
"""

from __future__ import annotations

from functools import cache

from pomp_clang.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pomp_clang.frontend.constructs import FoundConstructs
    from pomp_clang.frontend.unit import Unit
    from pomp_clang.rewrite.rewritten import Rewritten
    from pomp_clang.selection.plan import InstrumentationPlan


@record
class Language:
    """A source language: how its constructs are found, and how calls are written in it.

    A language fills in the records of `frontend`: `Constructs`, `Extent`, `DeclarationSite` and
    `SourceText`. The directives and clauses are in `openmp`, the decisions in `selection`. To write
    the calls, a language can use `combined`, `descriptor_values` and `edits` of this folder.
    """

    find: Callable[[Unit], FoundConstructs]
    """Finds the constructs of a unit, nested.  Raises `UnitError` if it cannot be read."""
    rewrite: Callable[[Sequence[InstrumentationPlan], Unit], Rewritten]
    """Writes the texts with the calls. The first plan is for the unit's own file."""
    may_hide: Callable[[InstrumentationPlan, Unit], bool]
    """Tells if the compiler may report something about a file's old text and not about its new one."""


def _c() -> Language:
    from pomp_clang.frontend.c.find import find
    from pomp_clang.rewrite.c.hidden_warnings import may_hide
    from pomp_clang.rewrite.c.rewriting import rewrite_files

    return Language(find, rewrite_files, may_hide)


def _fortran() -> Language:
    from pomp_clang.frontend.fortran.find import find
    from pomp_clang.rewrite.fortran.rewriting import may_hide, rewrite_file
    from pomp_clang.rewrite.rewritten import Rewritten

    return Language(find, lambda plans, unit: Rewritten(*rewrite_file(plans[0], unit)), may_hide)


_ROWS: dict[str, Callable[[], Language]] = {"c": _c, "c++": _c, "fortran": _fortran}
"""The languages by the names that units have for them."""


@cache
def language_named(name: str) -> Language:
    """Return the language of units that have this name for it."""
    return _ROWS[name]()
