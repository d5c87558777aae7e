"""A combined directive as two: which clause goes where (OpenMP 5.2, section 17.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from pomp_clang.frontend.octets import IDENTIFIER
from pomp_clang.frontend.pragmas import ClauseText, Reading
from pomp_clang.frontend.source import without_comments
from pomp_clang.openmp.clauses import CLAUSES, Goes
from pomp_clang.record import record

_NAME = re.compile(rf"\s*({IDENTIFIER})")
_MODIFIER = re.compile(r"\s*([a-z]+(?:\s+[a-z]+)*)\s*:(?!:)(.*)\Z", re.S)
_FOR = re.compile(rf"\bfor\s*\(\s*(?:({IDENTIFIER})\s*=)?")
_TAKEN = {"master": frozenset[str](), "masked": frozenset(("filter",))}
"""All that an inner directive takes of the clauses of both."""
_NOT_TAKEN = {"loop": frozenset(("firstprivate",))}
_COLON = re.compile(r"(?<!:):(?!:)")


@record
class Split:
    """The clauses of the parallel directive and of the inner one, as text."""

    parallel: str
    inner: str


def split(reading: Reading, block: str = "") -> Split:
    """Distribute the clauses of a combined directive that begins with parallel.

    Where parallel has a default clause, what the inner directive takes from outside
    has to be shared by name: a combined directive needs no such clause.  That goes
    for the loop variables of `block` too if the inner directive hands them back, as
    simd does (OpenMP 5.2, section 5.1.1).
    """
    parallel: list[str] = []
    inner: list[str] = []
    outside: list[str] = []
    for clause in reading.clauses:
        goes = _goes(reading, clause)
        if goes is Goes.MODIFIER:
            _split_if(clause, parallel, inner)
        elif goes is Goes.PRIVATE:
            outside += _split_by_variable(clause, _private_outside(reading), parallel, inner)
        elif goes is Goes.PARALLEL:
            parallel.append(str(clause))
        else:
            inner.append(str(clause))
            if goes is Goes.SHARED:
                outside += variables(clause)
    if reading.directive is not None and "simd" in reading.directive.words:
        outside += _loop_variables(reading, block)
    default = reading.clause("default")
    if default is not None and default.argument != "shared" and outside:
        listed = {n for c in reading.clauses if c.name == "shared" for n in variables(c)}
        missing = [n for n in dict.fromkeys(outside) if n not in listed]
        if missing:
            parallel.append(f"shared({', '.join(missing)})")
    return Split(" ".join(parallel), " ".join(inner))


def _goes(reading: Reading, clause: ClauseText) -> Goes:
    goes = CLAUSES[clause.name].goes
    if is_task_reduction(clause):
        return Goes.PARALLEL
    inner = reading.directive.leaves[1] if reading.directive and reading.directive.leaves else ""
    taken = clause.name in _TAKEN.get(inner, (clause.name,))
    if taken and clause.name not in _NOT_TAKEN.get(inner, ()):
        return goes
    return goes if goes is Goes.MODIFIER else Goes.PARALLEL


def is_task_reduction(clause: ClauseText) -> bool:
    """Whether tasks take part in it: a directive with such a clause may not be nowait (OpenMP
    5.2, 5.5.8), so of two the outer one has it."""
    return (
        clause.name == "reduction" and re.match(r"\s*task\s*,", clause.argument or "") is not None
    )


def _loop_variables(reading: Reading, block: str) -> list[str]:
    """Those variables of the associated loops that are declared before them."""
    collapse = reading.clause("collapse")
    count = collapse.argument if collapse is not None else None
    loops = int(count) if count is not None and count.isdecimal() else 1
    heads = islice(_FOR.finditer(without_comments(block)), loops)
    return [head.group(1) for head in heads if head.group(1)]


def _split_if(clause: ClauseText, parallel: list[str], inner: list[str]) -> None:
    """An unmodified `if` is parallel's; its expression may name variables that are not
    to be had inside a default(none), so simd, for which it is a hint, goes without."""
    match = _MODIFIER.match(clause.argument or "")
    if match and match.group(1) != "parallel":
        inner.append(str(clause))
    else:
        parallel.append(f"if({match.group(2).strip() if match else clause.argument})")


def _private_outside(reading: Reading) -> set[str]:
    kinds = ("private", "firstprivate", "reduction")
    outside = (c for c in reading.clauses if c.name in kinds and _goes(reading, c) is Goes.PARALLEL)
    return {name for clause in outside for name in variables(clause)}


def _split_by_variable(
    clause: ClauseText, outside: set[str], parallel: list[str], inner: list[str]
) -> list[str]:
    """Puts each variable with those `outside`, or inside; returns the latter."""
    text = clause.argument or ""
    at = _top_level_colon(text)
    modifier = "" if at is None else text[: at + 1] + " "
    names = variables(clause)
    within = [name for name in names if name not in outside]
    if within == names:
        inner.append(str(clause))
    else:
        here = [name for name in names if name in outside]
        parallel.append(f"{clause.name}({modifier}{', '.join(here)})")
        if within:
            inner.append(f"{clause.name}({modifier}{', '.join(within)})")
    return within


def variables(clause: ClauseText) -> list[str]:
    """The variables that a clause lists, behind its modifiers: of an array section its base."""
    text = clause.argument or ""
    if clause.name in ("reduction", "lastprivate", "firstprivate", "allocate"):
        at = _top_level_colon(text)
        text = text[at + 1 :] if at is not None else text
    elif clause.name == "linear":
        at = _top_level_colon(text)
        text = text[:at] if at is not None else text
        text = re.sub(r"\b(?:val|ref|uval)\s*\(([^()]*)\)", r"\1", text)
    found = []
    for item in _items(text):
        match = _NAME.match(item)
        if match and match.group(1) != "this":
            found.append(match.group(1))
    return found


def _top_level_colon(text: str) -> int | None:
    return next((at for at in _outside_brackets(text) if _COLON.match(text, at)), None)


def _items(text: str) -> Iterator[str]:
    start = 0
    for at in _outside_brackets(text):
        if text[at] == ",":
            yield text[start:at]
            start = at + 1
    yield text[start:]


def _outside_brackets(text: str) -> Iterator[int]:
    depth = 0
    for at, character in enumerate(text):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif depth == 0:
            yield at
