"""Instrument one translation unit: find its constructs, plan, rewrite.

A language provides how constructs are found and calls are written; all else is the same for every
language. A compile imports the modules of its own language alone.
"""

from __future__ import annotations

from functools import cache
from types import MappingProxyType

from pomp_clang.frontend.inclusion import with_copies
from pomp_clang.frontend.unit import Instrumented, Refused, Unit
from pomp_clang.record import record
from pomp_clang.selection.plan import notes_of, plan
from pomp_clang.selection.selection import CONSTRUCTS, ConstructSelection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pomp_clang.frontend.constructs import FoundConstructs
    from pomp_clang.frontend.unit import Unit
    from pomp_clang.rewrite.edits import Rewritten
    from pomp_clang.selection.plan import InstrumentationPlan


@record
class Language:
    """A source language: how its constructs are found, and how calls are written in it.

    A language fills in the records of `frontend`: `Constructs`, `Extent`, `DeclarationSite` and
    `SourceText`. The directives and clauses are in `openmp`, the decisions in `selection`. To write
    the calls, a language can use `combined`, `descriptor` and `edits` of this folder.
    """

    find: Callable[..., FoundConstructs]
    """Finds the constructs of a unit, nested, and of its functions at least the candidates that a
    second argument returns.  Raises `UnitError` if it cannot be read."""
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
    from pomp_clang.rewrite.edits import Rewritten
    from pomp_clang.rewrite.fortran.rewriting import may_hide, rewrite_file

    return Language(find, lambda plans, unit: Rewritten(*rewrite_file(plans[0], unit)), may_hide)


_ROWS: dict[str, Callable[[], Language]] = {"c": _c, "c++": _c, "fortran": _fortran}
"""The languages by the names that units have for them."""


@cache
def language_named(name: str) -> Language:
    """Return the language of units that have this name for it."""
    return _ROWS[name]()


def instrument(
    unit: Unit,
    selection: ConstructSelection = CONSTRUCTS,
    refused: Refused = MappingProxyType({}),
) -> Instrumented:
    """Return the unit with the calls of the POMP API.

    `selection` decides which constructs are left out; `refused` holds the constructs that the
    compiler refuses. Raises `UnitError` if the unit cannot be parsed.
    """
    language = language_named(unit.language)
    found_constructs = language.find(unit, selection.candidates)
    plans = [plan(constructs, selection, refused) for constructs in found_constructs.files]
    rewritten = language.rewrite(plans, unit)
    texts = rewritten.texts
    notes = notes_of(plans) | set(found_constructs.notes)
    if unit.pomp2:
        from pomp_clang.rewrite.pomp2 import constructs_without_event  # seldom needed

        notes |= constructs_without_event(plans)
    new = {p.constructs.path: t for p, t in zip(plans, texts, strict=True) if t}
    in_headers = {path: text for path, text in new.items() if path != found_constructs.graph.main}
    named_by_line = unit.named_by_line and bool(new)
    headers, includes = with_copies(found_constructs.graph, in_headers, named_by_line)
    return Instrumented(
        text=texts[0],
        notes=tuple(sorted(notes, key=lambda n: (n.file, n.line, n.text))),
        headers=headers,
        includes=includes,
        sites=tuple(site for file_plan in plans for site in file_plan.sites()),
        hiding=any(language.may_hide(file_plan, unit) for file_plan in plans),
        companion=rewritten.companion,
        is_foreign=rewritten.is_foreign,
        macros=rewritten.macros,
    )
