"""Text around a block whose directive only some inclusions of its header have.

A macro keeps the text, or drops it. The line of the directive is live where the directive is, so that
line defines the macro that keeps. The lines at the end of the header define the macro that drops, for
the next inclusion. For the first inclusion, the command line does.
"""

from __future__ import annotations

from collections.abc import Iterable

from pomp_clang.rewrite.c.inclusion_count import number_of


def name_of(suffix: str) -> str:
    """Return the name of the macro for a construct."""
    return f"__pomp_wrap{suffix}"


def keeping(macro: str) -> str:
    """Return the line that defines the macro where the directive is."""
    return f"#define {macro}(...) __VA_ARGS__"


def dropping(macro: str) -> str:
    """Return the definition of the macro for the command line."""
    return f"{macro}(...)="


def next_lines(macro: str, tag: str, bare: Iterable[int]) -> str:
    """Return the lines that prepare the macro for the next inclusion, behind the counter.

    `bare` are the numbers of the inclusions without the directive.
    """
    condition = " || ".join(f"{number_of(tag)} == {number}" for number in bare)
    return "\n".join((f"#undef {macro}", f"#if {condition}", f"#define {macro}(...)", "#endif"))
