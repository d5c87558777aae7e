"""Instrument one translation unit: find its constructs, plan, rewrite."""

from __future__ import annotations

from types import MappingProxyType

from pomp_clang.frontend.inclusion import with_copies
from pomp_clang.frontend.unit import Instrumented, Refused, Unit
from pomp_clang.rewrite.languages import language_named
from pomp_clang.selection.plan import plan
from pomp_clang.selection.selection import CONSTRUCTS, ConstructSelection


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
    found_constructs = language.find(unit)
    plans = [plan(constructs, selection, refused) for constructs in found_constructs.files]
    rewritten = language.rewrite(plans, unit)
    texts = rewritten.texts
    notes = {note for file_plan in plans for note in file_plan.notes()} | set(
        found_constructs.notes
    )
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
