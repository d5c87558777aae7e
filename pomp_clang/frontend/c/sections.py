"""The sections of a sections construct, which its block in braces is divided into."""

from __future__ import annotations

from collections.abc import Sequence

from pomp_clang.frontend.c.source import CSourceText
from pomp_clang.frontend.constructs import Construct
from pomp_clang.frontend.extent import Extent
from pomp_clang.frontend.nesting import innermost
from pomp_clang.openmp.directives import DirectiveForm
from pomp_clang.record import replace


def divide_sections(source: CSourceText, items: Sequence[Construct]) -> tuple[Construct, ...]:
    """Give each sections construct its separators, and each section its block.

    A section ends where the next one begins, or at the brace that closes the construct.
    """
    result = list(items)
    divided: dict[int, list[Construct]] = {
        item.index: []
        for item in items
        if item.leaf is not None
        and item.leaf.form is DirectiveForm.SECTIONS
        and item.block is not None
    }
    for item in items if divided else ():
        owner = (
            innermost(items, item, DirectiveForm.SECTIONS, "") if item.kind == "section" else None
        )
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
    return tuple(result)
