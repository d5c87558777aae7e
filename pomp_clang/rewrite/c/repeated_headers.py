"""Text of a header that is included repeatedly. All inclusions of a header read one text.

The text may need the number of an inclusion. It counts inclusions at its end, behind all of its
lines, with macros: each is a bit of the number of the next inclusion. The first inclusion meets no
macro, but a function that returns 0. A header may be included at any place within a function, even
within a region with `default(none)`, so no variable could have the number.

Only some inclusions may have a directive in front of a block. A macro keeps the text around the
block, or drops it. The line of the directive is live where the directive is, so that line defines a
word by which the macro keeps; the end of the header takes the word back. No line of the header is
free for other definitions, so the command line has them.
"""

from __future__ import annotations

from collections.abc import Iterator

from pomp_clang.rewrite.c.c_text import OURS

_ATTRIBUTES = f"__attribute__((__unused__, {OURS}))"
_STEP = 4
"""Bits are added by fours, so that units with a few inclusions more have the same text."""

_SHARED = 12
"""Bits of a text that is read for several sources."""


def inclusion_number(tag: str) -> str:
    """Return the expression for the number of the inclusion that reads the text, from 0."""
    return f"{_name(tag)}()"


def number_declaration(tag: str) -> str:
    """Return the declaration of the function for the first inclusion.

    Parentheses keep a macro of that name from replacing it.
    """
    return f"static {_ATTRIBUTES} int ({_name(tag)})(void);"


def number_definition(tag: str, count: int, is_shared: bool) -> str:
    """Return the definition of the function, behind all text of the unit.

    The compiler refuses a unit in which it reads another number of inclusions than `count`.
    """
    name = _name(tag)
    expected = " || ".join(
        f"{'!' if count >> bit & 1 else ''}{_bit(tag, bit)}"
        for bit in range(_bits(count, is_shared))
    )
    return "\n".join(
        (
            f"#if {expected}",
            f"#error the compiler does not include a file {count} times as libclang does",
            "#endif",
            f"#undef {name}",
            f"static __inline__ {_ATTRIBUTES} int {name}(void) {{ return 0; }}",
        )
    )


def inclusion_counter(tag: str, count: int, is_shared: bool) -> str:
    """Return the lines that count an inclusion of `count`, for the end of the header's text.

    `is_shared` if other sources of the command read the same text.
    """
    return "\n".join(_lines(tag, _bits(count, is_shared)))


def _lines(tag: str, bits: int) -> Iterator[str]:
    name = _name(tag)
    yield f"#ifndef {name}"
    for bit in range(bits):
        yield f"#define {_bit(tag, bit)} {int(bit == 0)}"
    total = " | ".join(f"{_bit(tag, bit)} << {bit}" for bit in range(bits))
    yield f"#define {name}() ({total})"
    for bit in range(bits):
        yield f"#elif !{_bit(tag, bit)}"
        for lower in range(bit + 1):
            yield f"#undef {_bit(tag, lower)}"
            yield f"#define {_bit(tag, lower)} {int(lower == bit)}"
    yield "#endif"


def _bits(count: int, is_shared: bool) -> int:
    needed = max(count.bit_length(), _SHARED if is_shared else 0)
    return -(-needed // _STEP) * _STEP


def _name(tag: str) -> str:
    return f"__pomp_inclusion_{tag}"


def _bit(tag: str, bit: int) -> str:
    return f"__pomp_bit{bit}_{tag}"


HELPERS = (
    "__pomp_if(word,...)=__pomp_if_defined(word,__VA_ARGS__)",
    "__pomp_if_defined(word,...)=__pomp##word(__VA_ARGS__)",
    "__pomp_keep(...)=__VA_ARGS__",
)


def keeping_word(suffix: str) -> str:
    """Return the word of a construct, by the end of its names."""
    return f"__pomp_wrap{suffix}"


def kept_text(word: str, text: str) -> str:
    """Return the text for the inclusions that have the directive, and none for the others."""
    return f"__pomp_if({word},{text})"


def directive_line(word: str) -> str:
    """Return the line that stands in the place of the directive."""
    return f"#define {word} _keep"


def undefining_line(word: str) -> str:
    """Return the line at the end of the header."""
    return f"#undef {word}"


def keeping_macros(words: list[str]) -> Iterator[str]:
    """Yield the definitions for the command line."""
    if words:
        yield from HELPERS
    yield from (f"__pomp{word}(...)=" for word in words)
