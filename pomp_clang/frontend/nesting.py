"""The relations between a unit's constructs: nesting, cancellation, pairs."""

from __future__ import annotations

from collections.abc import Sequence

from pomp_clang.frontend.constructs import Construct
from pomp_clang.frontend.source import Extent
from pomp_clang.openmp.directives import DirectiveForm
from pomp_clang.record import replace


def nest(items: list[Construct]) -> tuple[Construct, ...]:
    """Number the constructs, and tell each what it stands in, what cancels it and its pair."""
    nested = _outer([replace(item, index=number) for number, item in enumerate(items)])
    nested = _cancelled(nested)
    return tuple(_pairs(nested))


def _outer(items: list[Construct]) -> list[Construct]:
    around: list[Construct] = []
    result = []
    for item in items:
        while around and around[-1].extent.end <= item.begin.start:
            around.pop()
        outer = next((other.index for other in reversed(around) if _meet(item, other)), None)
        result.append(replace(item, outer=outer))
        if item.block is not None and item.control is None:
            around.append(item)
    return result


def _meet(one: Construct, other: Construct) -> bool:
    """Return True if the compiler may read both constructs the same time that it reads their file."""
    if not one.readings or not other.readings:
        return True
    return not set(one.readings).isdisjoint(other.readings)


def innermost(
    items: Sequence[Construct], item: Construct, form: DirectiveForm | None, leaf: str
) -> int | None:
    """Return the index of the innermost construct around `item` of a form or a leaf directive."""
    outer = item.outer
    while outer is not None:
        leaf_directive = items[outer].leaf
        if leaf_directive is not None and (
            leaf_directive.form is form or (leaf and leaf_directive.words.startswith(leaf))
        ):
            return outer
        outer = items[outer].outer
    return None


def _cancelled(items: list[Construct]) -> list[Construct]:
    """Mark the loops, sections and parallel regions that a cancellation directive binds to.

    Such loops and sections may not be nowait. In such a region a barrier directive is a
    cancellation point, while the end of the region is none.
    """
    marked = set()
    for item in items:
        if item.kind in ("cancel", "cancellation point") and item.reading is not None:
            for clause in item.reading.clauses:
                if clause.name in ("for", "do", "sections", "parallel"):
                    marked.add(innermost(items, item, None, clause.name))
    return [replace(i, cancelled=True) if i.index in marked else i for i in items]


def _pairs(items: list[Construct]) -> list[Construct]:
    """Match each `inst end(name)` with the last `inst begin(name)` before it."""
    opened: dict[str, int] = {}
    result = list(items)
    for item in items:
        name = item.control.control.words if item.control else ""
        if name == "inst begin":
            opened[item.sub_name] = item.index
        elif name == "inst end" and item.sub_name in opened:
            begin = opened[item.sub_name]
            result[item.index] = replace(item, pair=begin)
            result[begin] = replace(result[begin], pair=item.index)
    return result


def silenced(items: Sequence[Construct], length: int) -> list[Extent]:
    """Return the extents from each noinstrument to the next instrument, or to the end."""
    extents = []
    start: int | None = None
    for item in items:
        name = item.control.control.words if item.control else ""
        if name == "noinstrument" and start is None:
            start = item.begin.start
        elif name == "instrument" and start is not None:
            extents.append(Extent(start, item.begin.end))
            start = None
    if start is not None:
        extents.append(Extent(start, length))
    return extents
