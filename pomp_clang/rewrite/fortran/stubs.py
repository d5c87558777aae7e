"""The subroutines that a rewritten Fortran text calls: one for each place of a construct.

A call names no variable of the user's and needs no declaration, so it may stand under
`implicit none` and `default(none)`. The subroutine makes all events of its place, and may have the
construct's token as its argument.
"""

from __future__ import annotations

import re
from binascii import crc32
from collections.abc import Iterator, Sequence

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_OF_ITS_OWN = "__attribute__((__noinline__)) "
"""Frames of two calls are compared: neither call may be inlined."""

_TOKEN = re.compile(r"\b__pomp_token\b")

TOKEN = "*__pomp_token"
"""The token in the statements of a subroutine."""


class Stubs:
    """The subroutines of one unit, in the order of their calls."""

    def __init__(self, path: str, text: str) -> None:
        self._letters = _letters(path, text)
        self._bodies: list[tuple[str, str, str]] = []

    @property
    def names(self) -> list[str]:
        """The names that the text calls."""
        return [name for name, _, _ in self._bodies]

    @property
    def bodies(self) -> list[str]:
        return [body for _, _, body in self._bodies]

    def add(self, statements: Sequence[str], head: str = "") -> str:
        """Add a subroutine of C statements and return its name in Fortran.

        `head` is its type and parameters, `{}` in the place of the name; by default it has the
        token as a parameter if it uses the token.
        """
        body = " ".join(statements)
        name = f"pq{self._letters}{len(self._bodies) + 1}"
        parameters = "void **__pomp_token" if _TOKEN.search(body) else "void"
        self._bodies.append((name, head or f"void {{}}({parameters})", body))
        return name

    def definitions(self, ending: str) -> Iterator[str]:
        """Yield the subroutines as C functions, whose names end as the compiler ends them."""
        for name, head, body in self._bodies:
            alone = _OF_ITS_OWN if "__builtin_frame_address" in body else ""
            yield f"{alone}{head.format(name + ending)} {{ {body} }}"


def _letters(path: str, text: str) -> str:
    """Return letters that hardly any other unit of a program has.

    Names may stay visible in a program that is linked in one command.
    """
    number = crc32(f"{path}\0{text}".encode("utf-8", "surrogateescape"))
    letters = ""
    for _ in range(5):
        number, digit = divmod(number, len(_DIGITS))
        letters += _DIGITS[digit]
    return letters


def name_ending(arguments: Sequence[str]) -> str:
    """Return what a command's compiler adds to the names of external procedures."""
    underscoring = [arg for arg in arguments if arg in ("-fno-underscoring", "-funderscoring")]
    return "" if underscoring[-1:] == ["-fno-underscoring"] else "_"
