"""Which functions are worth measuring: what `--pomp-functions=auto` leaves out, and why."""

from __future__ import annotations

from collections.abc import Callable

from pomp_clang.frontend.constructs import Construct, Constructs
from pomp_clang.record import record
from pomp_clang.selection.cost.estimates import Estimate, Estimates
from pomp_clang.selection.cost.inlined import own_name

# Constructs that alone make no function worth measuring: they may be in one that does little.
SMALL = frozenset(
    ("atomic", "critical", "flush", "master", "masked", "simd", "lock", "region", "section")
)


@record
class Judgement:
    """Whether a function is measured, why, and what a call of it is estimated to cost."""

    measured: bool
    why: str
    nanoseconds: float | None = None


@record
class Auto:
    """`estimates` is asked once there is a function to decide on; it has None where there is
    no optimised code to read."""

    estimates: Callable[[], Estimates | None]

    def judge(self, constructs: Constructs, construct: Construct) -> Judgement:
        """The decision on a function."""
        known = self.estimates()
        holds, name = _holds(constructs, construct), construct.sub_name
        if known is None:
            from pomp_clang.selection.cost.reading import estimate

            return _judged(estimate(constructs, construct), "by its text, ", holds, name)
        file, line = constructs.source.place(construct.begin.start)
        return _judged(known.of(file, line, own_name(name)), "", holds, name)


def _judged(found: Estimate | None, source: str, holds: str, name: str) -> Judgement:
    spent = None if found is None else found.nanoseconds
    about = "" if spent is None else f", {source}{_time(spent)} a call"
    if name == "main":
        return Judgement(True, f"auto: the program begins here{about}", spent)
    if holds:
        return Judgement(True, f"auto: has '{holds}'{about}", spent)
    if found is None:
        return Judgement(False, "auto: no code is made of it in this unit")
    if found.sends:
        return Judgement(True, f"auto: calls MPI{about}", spent)
    if found.worth_it:
        return Judgement(True, f"auto:{about[1:]}", spent)
    return Judgement(False, f"auto: {_kind(found)}{about}".replace(" ,", ""), spent)


def _kind(found: Estimate) -> str:
    if found.inlined:
        return "inlined"
    if not found.loops:
        return "no loop"
    return "called in a loop" if found.repeated else ""


def _holds(constructs: Constructs, function: Construct) -> str:
    """The first OpenMP construct in a function's body that takes long enough; or ""."""
    assert function.block is not None
    for other in constructs.items[function.index + 1 :]:
        if other.begin.start >= function.block.end:
            break
        if other.directive is not None and other.kind not in SMALL:
            return other.kind
    return ""


def _time(nanoseconds: float) -> str:
    """As a person reads it.

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
