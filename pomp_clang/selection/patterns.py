"""The patterns of a filter's rules: wildcards or regular expressions for names and files."""

from __future__ import annotations

import re
from fnmatch import translate
from functools import cache

from pomp_clang.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

_CLASS = re.compile(r"\[(!?)\[:(\w+):\]\]")
_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "lower": "a-z",
    "upper": "A-Z",
    "space": " \t",
}
"""The character classes of POSIX that names can have."""

_SPECIAL = re.compile(r"([\s\\#*?\[\]])")


@record
class Pattern:
    """A wildcard (`*`, `?`, `[...]`) for the whole text, or a regular expression for a part."""

    text: str
    expression: re.Pattern[str]

    def matches(self, text: str, any_case: bool = False) -> bool:
        """Return True if the pattern describes the text; `any_case` ignores upper and lower case."""
        expression = _without_case(self.expression) if any_case else self.expression
        return expression.search(text) is not None


@cache
def _without_case(expression: re.Pattern[str]) -> re.Pattern[str]:
    return re.compile(expression.pattern, expression.flags | re.IGNORECASE)


def wildcard(text: str) -> Pattern:
    """Compile a shell's wildcard; a backslash takes a character's meaning away.

    >>> wildcard("ns::*(int)").matches("ns::f(int)")
    True
    >>> wildcard(r"operator\\*").matches("operator*=")
    False
    """
    plain = _CLASS.sub(lambda m: f"[{m[1]}{_CLASSES.get(m[2], m[2])}]", text)
    plain = re.sub(r"\\(.)", lambda m: f"[{m[1]}]" if m[1] in "*?[" else m[1], plain)
    return Pattern(text, re.compile(r"\A" + translate(plain)))


def expression(text: str) -> Pattern:
    """Compile a regular expression.  Raises `ValueError` with one line if it is none."""
    try:
        return Pattern(text, re.compile(text))
    except re.error as error:
        raise ValueError(f"'{text}' is no regular expression: {error}") from None


def escaped(name: str) -> str:
    """Return the wildcard that matches a name alone.

    >>> escaped("(anonymous namespace)::operator*")
    '(anonymous\\\\ namespace)::operator\\\\*'
    """
    return _SPECIAL.sub(r"\\\1", name)


def of_file(path: str, others: Collection[str]) -> str:
    """Return the wildcard for a file: its name, with so many of its folders as others of that name
    need. So it also matches in another copy of the sources.

    >>> of_file("/home/a/solver.c", ["/home/a/main.c"])
    'solver.c'
    >>> of_file("/home/a/solver.c", ["/home/b/solver.c"])
    '*/a/solver.c'
    """
    names = path.split("/")
    for count in range(1, len(names)):
        end = "/".join(names[-count:])
        if not any(f"/{other}".endswith(f"/{end}") for other in others if other != path):
            return escaped(end) if count == 1 else f"*/{escaped(end)}"
    return escaped(path)
