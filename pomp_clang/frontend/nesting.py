"""How a unit's constructs stand to one another: nesting, sections, cancellation, pairs."""

from __future__ import annotations

from pomp_clang.frontend.constructs import Construct, Extent
from pomp_clang.frontend.source import Source
from pomp_clang.openmp.directives import Form
from pomp_clang.record import replace


def nest(source: Source, items: list[Construct]) -> tuple[Construct, ...]:
    """The same constructs, numbered, each knowing those it stands in relation to."""
    nested = _outer([replace(item, index=number) for number, item in enumerate(items)])
    nested = _cancelled(nested)
    nested = _sections(source, nested)
    return tuple(_pairs(nested))


def _outer(items: list[Construct]) -> list[Construct]:
    around: list[Construct] = []
    result = []
    for item in items:
        while around and around[-1].extent.end <= item.begin.start:
            around.pop()
        result.append(replace(item, outer=around[-1].index if around else None))
        if item.block is not None and item.control is None:
            around.append(item)
    return result


def _innermost(items: list[Construct], item: Construct, form: Form | None, leaf: str) -> int | None:
    """The innermost construct around `item` of a form or of an innermost directive."""
    outer = item.outer
    while outer is not None:
        found = items[outer].leaf
        if found is not None and (found.form is form or (leaf and found.words.startswith(leaf))):
            return outer
        outer = items[outer].outer
    return None


def _cancelled(items: list[Construct]) -> list[Construct]:
    """Mark the loops, sections and parallel regions that a cancel or a cancellation point
    binds to: the loops and sections may not be nowait, and in the region a barrier directive
    is a cancellation point, which the end of the region is not."""
    marked = set()
    for item in items:
        if item.kind in ("cancel", "cancellation point") and item.reading is not None:
            for clause in item.reading.clauses:
                if clause.name in ("for", "sections", "parallel"):
                    marked.add(_innermost(items, item, None, clause.name))
    return [replace(i, cancelled=True) if i.index in marked else i for i in items]


def _sections(source: Source, items: list[Construct]) -> list[Construct]:
    """Give each sections construct its separators, each section its block."""
    result = list(items)
    divided: dict[int, list[Construct]] = {
        item.index: []
        for item in items
        if item.leaf is not None and item.leaf.form is Form.SECTIONS and item.block is not None
    }
    for item in items if divided else ():
        owner = _innermost(items, item, Form.SECTIONS, "") if item.kind == "section" else None
        if owner is not None and owner in divided:
            divided[owner].append(item)
    for index, parts in divided.items():
        item = items[index]
        assert item.block is not None
        opening = source.skip_blank(item.block.start + 1)
        implicit = not parts or opening != parts[0].begin.start
        pragmas = tuple(p.pragma for p in parts if p.pragma is not None)
        result[index] = replace(item, separators=pragmas, implicit_first_section=implicit)
        ends = [p.begin.start for p in parts[1:]] + [item.block.end - 1]
        for part, end in zip(parts, ends, strict=False):
            trimmed = part.begin.end + len(source.text[part.begin.end : end].rstrip())
            result[part.index] = replace(part, block=Extent(part.begin.end, trimmed))
    return result


def _pairs(items: list[Construct]) -> list[Construct]:
    """Match each `inst end(name)` with the last `inst begin(name)` before it."""
    opened: dict[str, int] = {}
    result = list(items)
    for item in items:
        words = item.control.control.words if item.control else ""
        if words == "inst begin":
            opened[item.sub_name] = item.index
        elif words == "inst end" and item.sub_name in opened:
            begin = opened[item.sub_name]
            result[item.index] = replace(item, pair=begin)
            result[begin] = replace(result[begin], pair=item.index)
    return result
