"""The values of a construct's descriptor, whichever language they are written in."""

from __future__ import annotations

from bisect import bisect_left

from pomp_clang.frontend.constructs import Construct, Constructs
from pomp_clang.openmp.barriers import Barriers
from pomp_clang.openmp.descriptor import DescriptorFlag
from pomp_clang.openmp.directives import DirectiveForm
from pomp_clang.record import record
from pomp_clang.rewrite.descriptor_flags import flags

_LONGEST_TEXT = 400
"""ISO C90 promises string literals of 509 characters; -Woverlength-strings says so."""


@record
class DescriptorValues:
    """The members of `struct ompregdescr` that a construct determines; `file` is named as the
    compiler names it, and "" stands for no `sub_name`."""

    name: str
    sub_name: str
    num_sections: int
    file: str
    begin_line1: int
    begin_line_n: int
    end_line1: int
    end_line_n: int
    flags: DescriptorFlag
    begin_column: int
    clauses: str
    function: str
    included_from: tuple[tuple[str, int], ...] = ()


def descriptor_values(
    constructs: Constructs,
    construct: Construct,
    barriers: Barriers,
    from_outside: bool,
    reading: int | None = None,
) -> DescriptorValues:
    """Return the values for a construct; `from_outside` if it is measured from outside.

    `reading` is the number of the reading of its file, if that is included inside declarations and
    each reading has a descriptor.
    """
    source = constructs.source
    file, begin = source.place(construct.begin.start)
    if construct.control is not None and construct.pair is not None:
        closing = constructs.items[construct.pair].begin
        end1, end_n = source.line(closing.start), source.line(closing.end - 1)
    elif construct.end_directive is not None:
        closing_directive = construct.end_directive
        end1 = source.line(closing_directive.start)
        end_n = source.line(closing_directive.end - 1)
    else:
        last = construct.block.end if construct.block else construct.begin.end
        end1 = end_n = source.line(max(last, construct.extent.end) - 1)
    return DescriptorValues(
        descriptor_name(construct),
        _sub_name(construct),
        _num_sections(construct),
        file,
        begin,
        source.line(construct.begin.end - 1),
        end1,
        end_n,
        flags(construct, barriers, from_outside),
        source.column(construct.begin.start),
        clauses_text(construct),
        _function(construct, reading),
        constructs.enclosures[reading].places if reading is not None else (),
    )


def _function(construct: Construct, reading: int | None) -> str:
    """Return the function around a construct, which differs at each inclusion of its file."""
    if reading is None:
        return construct.declaration_site.function
    return construct.reading_functions[bisect_left(construct.readings, reading)]


def descriptor_name(construct: Construct) -> str:
    """Return the descriptor's `name`: the directive's words, "lock", or "region"."""
    return "region" if construct.function is not None else construct.kind


def _sub_name(construct: Construct) -> str:
    return construct.sub_name[:_LONGEST_TEXT] if construct.function else construct.sub_name


def clauses_text(construct: Construct) -> str:
    """Return the clauses as one text, cut where a string literal may no longer be portable."""
    if construct.reading is None:
        return ""
    return " ".join(map(str, construct.reading.clauses))[:_LONGEST_TEXT]


def _num_sections(construct: Construct) -> int:
    if construct.leaf is None or construct.leaf.form is not DirectiveForm.SECTIONS:
        return 0
    return len(construct.separators) + construct.implicit_first_section
