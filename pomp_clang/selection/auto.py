"""The functions that are worth measuring: the decisions of `--pomp-functions=auto`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pomp_clang.frontend.constructs import (
    Construct,
    Constructs,
    FunctionCandidates,
    SharedBeginning,
)
from pomp_clang.record import record
from pomp_clang.selection.cost.debug_information import own_name
from pomp_clang.selection.cost.estimates import Estimate, Estimates

# Constructs that alone make no function worth measuring: they may be in one that does little.
SMALL = frozenset(
    ("atomic", "critical", "flush", "master", "masked", "simd", "lock", "region", "section")
)


@record
class Judgement:
    """The decision on a function, its reason, and the estimated cost of a call."""

    measured: bool
    why: str
    nanoseconds: float | None = None


@record
class Auto:
    """The decisions of `auto`.

    `estimates` is called once there is a function to decide on, with beginnings of the unit, and
    returns None if there is no bitcode to read.
    """

    estimates: Callable[[Sequence[SharedBeginning]], Estimates | None]

    def candidates(self, beginnings: Sequence[SharedBeginning]) -> FunctionCandidates | None:
        """Return the functions that may be measured for their cost; None if that is unknown."""
        known = self.estimates(beginnings)
        return None if known is None else known.candidates

    def judge(self, constructs: Constructs, construct: Construct) -> Judgement:
        """Decide on a function."""
        known = self.estimates(())
        holds, name = _holds(constructs, construct), construct.sub_name
        if known is None:
            by_text = _by_text(constructs, construct)
            return _judged(by_text, "by its text, ", holds, _begins(construct))
        file, line = constructs.source.place(construct.begin.start)
        estimate = known.of(file, line, own_name(name))
        return _judged(estimate, "", holds, _begins(construct))


def _by_text(constructs: Constructs, construct: Construct) -> Estimate:
    if constructs.language == "fortran":
        from pomp_clang.selection.cost import fortran_estimate

        return fortran_estimate.estimate(constructs, construct)
    from pomp_clang.selection.cost.source_estimate import estimate

    return estimate(constructs, construct)


def _begins(function: Construct) -> bool:
    """Return True for the function with which the program begins."""
    assert function.function is not None
    return function.sub_name == "main" or function.function.program


def _judged(known: Estimate | None, source: str, holds: str, begins: bool) -> Judgement:
    nanoseconds = None if known is None else known.nanoseconds
    about = "" if nanoseconds is None else f", {source}{_time(nanoseconds)} a call"
    if begins:
        return Judgement(True, f"auto: the program begins here{about}", nanoseconds)
    if holds:
        return Judgement(True, f"auto: has '{holds}'{about}", nanoseconds)
    if known is None:
        return Judgement(False, "auto: no code is made of it in this unit")
    if known.sends:
        return Judgement(True, f"auto: calls MPI{about}", nanoseconds)
    if known.worth_it:
        return Judgement(True, f"auto:{about[1:]}", nanoseconds)
    return Judgement(False, f"auto: {_kind(known)}{about}".replace(" ,", ""), nanoseconds)


def _kind(known: Estimate) -> str:
    if known.inlined:
        return "inlined"
    if not known.loops:
        return "no loop"
    return "called in a loop" if known.repeated else ""


def _holds(constructs: Constructs, function: Construct) -> str:
    """Return the kind of the first construct in a function that takes long enough, or ""."""
    assert function.block is not None
    for other in constructs.items[function.index + 1 :]:
        if other.begin.start >= function.block.end:
            break
        if other.directive is not None and other.kind not in SMALL:
            return other.kind
    return ""


def _time(nanoseconds: float) -> str:
    """Write a time for a person.

    >>> _time(0.4), _time(41.7), _time(2340.0), _time(5.2e7)
    ('<1 ns', '42 ns', '2.3 us', '52 ms')
    """
    if nanoseconds < 1:
        return "<1 ns"
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3), ("ns", 1.0)):
        if nanoseconds >= size:
            number = nanoseconds / size
            return (
                f"{number:.0f} {unit}" if number >= 10 or unit == "ns" else f"{number:.1f} {unit}"
            )
    return ""
