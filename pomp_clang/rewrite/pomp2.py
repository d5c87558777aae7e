"""The parts of a unit for libraries of POMP2, the interface of OPARI2.

A function assigns the handles if a script of OPARI2 makes the calls: `opari2-config --create-pomp2-regions` finds the symbols POMP2_Init_reg_<id>_<n> of all objects, calls
each, and adds up their n as the number of regions. So objects of OPARI2 and of pomp-clang may be
linked together.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator

from pomp_clang.frontend.unit import Note, Unit
from pomp_clang.record import replace
from pomp_clang.selection.plan import Decision, InstrumentationPlan

WITHOUT_EVENT = frozenset(
    ("simd", "teams", "target", "distribute", "dispatch", "metadirective", "depobj", "interop", "cancel",
     "cancellation")
)  # fmt: skip
"""First words of the directives that POMP2 has no events for."""

_MOST_TYPES = 3
"""The number of region types that a construct may have, as in runtime/pomp2/region.h."""


MARK = "POMP2 has no events:"
"""Begins the string in an object that tells the link of its constructs without events."""


def handle_initializer(
    unit: Unit, plans: Iterable[InstrumentationPlan], descriptors: int, cplusplus: bool
) -> str:
    """Return the text of the function, and of strings on constructs that POMP2 has no events for.

    The function's name distinguishes the unit and the options of its compile.
    """
    parts = (unit.path, *unit.arguments, unit.text)
    ident = hashlib.sha1("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    name = f"POMP2_Init_reg_{ident}_{_MOST_TYPES * descriptors}"
    extern = 'extern "C" ' if cplusplus else "extern "
    visible = '__attribute__((__visibility__("default")))'
    return (
        f"{extern}void POMP_Assign_pomp2_handles(void) {visible}; "
        f"{extern}void {name}(void) {visible}; "
        f"void {name}(void) {{ POMP_Assign_pomp2_handles(); }}" + "".join(_marks(ident, plans))
    )


def _marks(ident: str, plans: Iterable[InstrumentationPlan]) -> Iterator[str]:
    """Yield the definition of a string for each file with constructs without events."""
    notes = sorted(constructs_without_event(plans), key=lambda note: note.file)
    for number, note in enumerate(notes):
        file = note.file.replace("\\", "\\\\").replace('"', '\\"')
        name = f"pomp_without_event_{ident}_{number}"
        text = f"{MARK}{file}:{note.line}:{note.text}"
        yield f' static const char {name}[] __attribute__((__used__)) = "{text}";'


def constructs_without_event(plans: Iterable[InstrumentationPlan]) -> set[Note]:
    """Return a note for each file with constructs that POMP2 has no events for: how many of each kind."""
    notes = set()
    for plan in plans:
        left_out = [
            entry.construct
            for entry in plan.entries
            if entry.decision is Decision.INSTRUMENTED and is_without_event(entry.construct.kind)
        ]
        if not left_out:
            continue
        source = plan.constructs.source
        path, line = source.place(left_out[0].begin.start)
        kinds = Counter(construct.kind for construct in left_out)
        counts = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        notes.add(replace(Note(path, line, counts, "pomp2"), level="note"))
    return notes


def is_without_event(kind: str) -> bool:
    """Return whether POMP2 has no events for a directive."""
    return kind.split()[0] in WITHOUT_EVENT
