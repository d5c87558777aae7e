"""Text around a block whose directive only some inclusions of its header have.

A macro keeps the text, or drops it. The line of the directive is live where the directive is, so that
line defines a word by which the macro keeps; the end of the header takes the word back. No line of
the header is free for other definitions, so the command line has them.
"""

from __future__ import annotations

from collections.abc import Iterator

HELPERS = (
    "__pomp_if(word,...)=__pomp_if_defined(word,__VA_ARGS__)",
    "__pomp_if_defined(word,...)=__pomp##word(__VA_ARGS__)",
    "__pomp_keep(...)=__VA_ARGS__",
)


def word_of(suffix: str) -> str:
    """Return the word of a construct, by the end of its names."""
    return f"__pomp_wrap{suffix}"


def kept(word: str, text: str) -> str:
    """Return the text for the inclusions that have the directive, and none for the others."""
    return f"__pomp_if({word},{text})"


def line(word: str) -> str:
    """Return the line that stands in the place of the directive."""
    return f"#define {word} _keep"


def last_line(word: str) -> str:
    """Return the line at the end of the header."""
    return f"#undef {word}"


def macros(words: list[str]) -> Iterator[str]:
    """Yield the definitions for the command line."""
    if words:
        yield from HELPERS
    yield from (f"__pomp{word}(...)=" for word in words)
