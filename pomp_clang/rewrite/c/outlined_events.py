"""A file's own functions for the events of functions with many constructs.

Clang inlines the events of constructs that cost little. In one function its code generator takes
the square of their number. In any function each pair takes as long as 100 lines of C. So where
there are many, the text calls a function of the file for each event, and the event is inlined
there, once in the file. The same holds for functions of C++, which the compiler copies.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from pomp_clang.frontend.constructs import Construct
from pomp_clang.frontend.unit import Unit
from pomp_clang.rewrite.c.call_guards import EVENTS
from pomp_clang.selection.plan import Decision, InstrumentationPlan

MOST_IN_FUNCTION = 16
"""Pairs of events that are inlined in a function. At 64 a pair takes clang 19 half as much
again as at 16, at 256 more than three times as much."""

MOST_IN_UNIT = 128
"""Pairs of events that are inlined in a unit: at 9 ms each they take clang 19 one second."""

MOST_ADDRESSES = 64
"""Descriptors whose addresses gcc sees in a function. Its points-to analysis takes more than the
square of their number: 1.5 s of gcc 12 for 800, 20 s for 2,000."""

_OWN = "__pomp_own"
_INLINED = frozenset((*EVENTS, "Begin", "End"))
_CALLED = re.compile(rf"\b{_OWN}[0-9a-f]*_([A-Z]\w*)")


def outlined(plans: Sequence[InstrumentationPlan], unit: Unit) -> list[frozenset[int]]:
    """Return for each file the numbers of the constructs whose events are outlined.

    An inline function of external linkage (C99, 6.7.4) may call nothing static.
    """
    if not may_outline(unit):
        return [frozenset() for _ in plans]
    inlined = [list(_inlined(plan)) for plan in plans]
    is_crowded = (
        sum(map(_pairs, (construct for file in inlined for construct in file))) > MOST_IN_UNIT
    )
    is_cxx = unit.language == "c++"
    return [frozenset(_with_own_address(file, is_crowded, is_cxx)) for file in inlined]


def addressed_apart(plan: InstrumentationPlan, unit: Unit) -> frozenset[int]:
    """Return the numbers of the constructs whose descriptors' addresses stay calls."""
    if unit.inlines:
        return frozenset()
    instrumented = [
        entry.construct for entry in plan.entries if entry.decision is Decision.INSTRUMENTED
    ]
    number = Counter(construct.declaration_site.function_at for construct in instrumented)
    return frozenset(
        construct.index
        for construct in instrumented
        if number[construct.declaration_site.function_at] > MOST_ADDRESSES
    )


def may_outline(unit: Unit) -> bool:
    """Return True if functions are inlined in the unit.

    They are not without optimization, where calls are guarded.
    """
    return unit.inlines and not unit.thread and not unit.empty


def _inlined(plan: InstrumentationPlan) -> Iterator[Construct]:
    for entry in plan.entries:
        if entry.decision is Decision.INSTRUMENTED and _pairs(entry.construct):
            yield entry.construct


def _with_own_address(
    constructs: Sequence[Construct], is_crowded: bool, is_cxx: bool
) -> Iterator[int]:
    pairs: dict[int, int] = {}
    for construct in constructs:
        at = construct.declaration_site.function_at
        pairs[at] = pairs.get(at, 0) + _pairs(construct)
    for construct in constructs:
        many = is_crowded or pairs[construct.declaration_site.function_at] > MOST_IN_FUNCTION
        # A template has a copy of its events for each instance, a small function one for each call.
        is_copied = is_cxx and construct.function is not None
        if (many or is_copied) and not construct.declaration_site.external_inline:
            yield construct.index


def _pairs(construct: Construct) -> int:
    """Return how many pairs of inlined events a construct has, in all readings of its file."""
    return max(1, len(construct.readings)) * _pairs_in_reading(construct)


def _pairs_in_reading(construct: Construct) -> int:
    if construct.control is not None or construct.function is not None:
        return 1
    leaf = construct.leaf
    if leaf is None or leaf.event not in EVENTS:
        return 0
    return bool(leaf.around) + bool(leaf.inside)


def called(event: str, tag: str) -> str:
    """Return the function that is called for an event of a construct that is outlined."""
    inlined = event.partition("_")[0] in _INLINED
    return f"{_OWN}{tag}_{event}" if inlined else f"POMP_{event}"


def outlined_in(texts: Iterable[str]) -> list[str]:
    """Return the events that inserted texts call such functions for."""
    return sorted({event for text in texts for event in _CALLED.findall(text)})


def own_functions(events: Iterable[str], tag: str, attributes: str, defined: bool) -> Iterator[str]:
    """Yield a declaration of each event's function, or its definition."""
    for event in events:
        head = f"static {attributes} void {called(event, tag)}(struct ompregdescr *"
        yield f"{head}__pomp_at) {{ POMP_{event}(__pomp_at); }}" if defined else f"{head});"
