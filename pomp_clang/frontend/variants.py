"""What OpenMP chooses among by context: metadirectives and variants of functions
(OpenMP 5.2, chapter 7)."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from itertools import accumulate

from pomp_clang.frontend.pragmas import Reading, read
from pomp_clang.openmp.directives import Directive, Form

_REGION = re.compile(
    r"^[ \t]*(?:#|%:)[ \t]*pragma[ \t]+omp[ \t]+(begin|end)[ \t]+declare[ \t]+variant\b", re.M
)
_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def alternatives(metadirective: Reading) -> list[Directive | None]:
    """The directives that a metadirective may become, `nothing` left out; None is one that
    no table knows."""
    found = []
    for clause in metadirective.clauses:
        body = clause.argument or ""
        if clause.name == "when":
            body = body[_colon(body) + 1 :]
        directive = read(body).directive
        if body.strip() and (directive is None or directive.words != "nothing"):
            found.append(directive)
    return found


def governed(metadirective: Reading) -> Form | None:
    """What follows a metadirective: a block, or nothing; None if that cannot be told."""
    found = alternatives(metadirective)
    if found and all(each is not None and each.form is Form.STANDALONE for each in found):
        return Form.STANDALONE
    if found and all(each is not None and each.bears_code for each in found):
        return Form.BLOCK
    return None


def hides_calls(metadirective: Reading) -> bool:
    """Whether one of the alternatives allows no call within its block."""
    return any(each is None or each.opaque for each in alternatives(metadirective))


def may_generate_tasks(metadirective: Reading) -> bool:
    """Whether its block may be that of other tasks."""
    return any(each is None or each.generates_tasks for each in alternatives(metadirective))


def stands_in_variant(text: str, offset: int) -> bool:
    """Whether `offset` is between a begin declare variant and its end: a function that is
    defined there is another than that of the same name outside."""
    starts, depths = _regions(text)
    at = bisect_left(starts, offset)
    return at > 0 and depths[at - 1] > 0


@lru_cache(maxsize=2)
def _regions(text: str) -> tuple[list[int], list[int]]:
    """Where such directives stand, and how many are open behind each."""
    matches = list(_REGION.finditer(text))
    steps = (1 if match.group(1) == "begin" else -1 for match in matches)
    return [match.start() for match in matches], list(accumulate(steps))


def _colon(text: str) -> int:
    """The first colon outside brackets, which ends a context selector; or -1."""
    depth = 0
    for at, character in enumerate(text):
        depth += _BRACKETS.get(character, 0)
        if character == ":" and not depth and ":" not in (text[at + 1 : at + 2], text[at - 1 : at]):
            return at
    return -1
