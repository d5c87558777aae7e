"""The split of a combined directive into two: where each clause goes (OpenMP 5.2, section 17.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pomp_clang.frontend.directive_text import ClauseText, DirectiveReading
from pomp_clang.frontend.source import IDENTIFIER
from pomp_clang.openmp.clauses import CLAUSES, Goes
from pomp_clang.record import record

_NAME = re.compile(rf"\s*({IDENTIFIER})")
_MODIFIER = re.compile(r"\s*([a-z]+(?:\s+[a-z]+)*)\s*:(?!:)(.*)\Z", re.S)
_TAKEN = {
    "master": frozenset[str](),
    "masked": frozenset(("filter",)),
    "workshare": frozenset[str](),
}
"""The clauses that an inner directive takes from a combined one; all for other directives."""
_NOT_TAKEN = {"loop": frozenset(("firstprivate",))}
_COLON = re.compile(r"(?<!:):(?!:)")


@record
class Split:
    """The clauses of the parallel directive and of the inner one, as text."""

    parallel: str
    inner: str


def split(
    reading: DirectiveReading, loop_variables: Sequence[str] = (), copies_bounds: bool = False
) -> Split:
    """Distribute the clauses of a combined directive that begins with parallel.

    A combined directive with a default clause needs no clause for the variables that its inner part
    takes from outside. Split in two, parallel has to share them by name. It shares `loop_variables` by
    name as well, to which an inner simd or loop assigns the last value (`hands_back`).
    With `copies_bounds` it shares private variables, too. A Fortran variable may be allocatable,
    and its private copy has the bounds of the variable outside (OpenMP 5.2, section 5.4.3).
    """
    parallel: list[str] = []
    inner: list[str] = []
    outside: list[str] = []
    for clause in reading.clauses:
        parts = _target_of(reading, clause)
        if parts is Goes.MODIFIER:
            _split_if(clause, parallel, inner)
        elif parts is Goes.PRIVATE:
            outside += _split_by_variable(clause, _private_outside(reading), parallel, inner)
        elif parts is Goes.PARALLEL:
            parallel.append(str(clause))
        else:
            inner.append(str(clause))
            if parts is Goes.SHARED or (copies_bounds and clause.name == "private"):
                outside += variables(clause)
    outside += loop_variables
    default = reading.clause("default")
    if default is not None and default.argument != "shared" and outside:
        listed = {n for c in reading.clauses if c.name == "shared" for n in variables(c)}
        missing = [n for n in dict.fromkeys(outside) if n not in listed]
        if missing:
            parallel.append(f"shared({', '.join(missing)})")
    return Split(" ".join(parallel), " ".join(inner))


def hands_back(reading: DirectiveReading) -> bool:
    """Return True if the variables of the associated loops keep their values behind the construct:
    they are lastprivate or linear there (OpenMP 5.2, section 5.1.1)."""
    names = reading.directive.words.split() if reading.directive else []
    return "simd" in names or "loop" in names


def _target_of(reading: DirectiveReading, clause: ClauseText) -> Goes:
    goes = CLAUSES[clause.name].goes
    if is_task_reduction(clause):
        return Goes.PARALLEL
    inner = reading.directive.leaves[1] if reading.directive and reading.directive.leaves else ""
    takes = clause.name in _TAKEN.get(inner, (clause.name,))
    if takes and clause.name not in _NOT_TAKEN.get(inner, ()):
        return goes
    return goes if goes is Goes.MODIFIER else Goes.PARALLEL


def is_task_reduction(clause: ClauseText) -> bool:
    """Return True if tasks take part in the reduction.

    A directive with such a clause may not be nowait (OpenMP 5.2, 5.5.8), so of two directives the
    outer one has it.
    """
    return (
        clause.name == "reduction" and re.match(r"\s*task\s*,", clause.argument or "") is not None
    )


def _split_if(clause: ClauseText, parallel: list[str], inner: list[str]) -> None:
    """Give an `if` without a modifier to parallel, any other one to the directive it names.

    The expression may name variables that are unknown inside a default(none). So simd, for which it
    is a hint, goes without.
    """
    match = _MODIFIER.match(clause.argument or "")
    if match and match.group(1) != "parallel":
        inner.append(str(clause))
    else:
        parallel.append(f"if({match.group(2).strip() if match else clause.argument})")


def _private_outside(reading: DirectiveReading) -> set[str]:
    kinds = ("private", "firstprivate", "reduction")
    outside = (
        c for c in reading.clauses if c.name in kinds and _target_of(reading, c) is Goes.PARALLEL
    )
    return {name for clause in outside for name in variables(clause)}


def _split_by_variable(
    clause: ClauseText, outside: set[str], parallel: list[str], inner: list[str]
) -> list[str]:
    """Put each variable of a clause with those `outside`, or inside; return the latter."""
    text = clause.argument or ""
    at = _top_level_colon(text)
    modifier = "" if at is None else text[: at + 1] + " "
    names = variables(clause)
    within = [name for name in names if name not in outside]
    if within == names:
        inner.append(str(clause))
    else:
        outer = [name for name in names if name in outside]
        parallel.append(f"{clause.name}({modifier}{', '.join(outer)})")
        if within:
            inner.append(f"{clause.name}({modifier}{', '.join(within)})")
    return within


def variables(clause: ClauseText) -> list[str]:
    """Return the variables that a clause lists, behind its modifiers; for an array section, its
    base."""
    text = clause.argument or ""
    if clause.name in ("reduction", "lastprivate", "firstprivate", "allocate"):
        at = _top_level_colon(text)
        text = text[at + 1 :] if at is not None else text
    elif clause.name == "linear":
        at = _top_level_colon(text)
        text = text[:at] if at is not None else text
        text = re.sub(r"\b(?:val|ref|uval)\s*\(([^()]*)\)", r"\1", text)
    names = []
    for item in _items(text):
        match = _NAME.match(item)
        if match and match.group(1) != "this":
            names.append(match.group(1))
    return names


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
