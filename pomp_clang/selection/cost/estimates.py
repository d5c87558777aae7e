"""The functions of some units -> what a call of each is estimated to cost, by its place."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from pomp_clang.record import record
from pomp_clang.selection.cost import prices
from pomp_clang.selection.cost.inlined import Part, Spot
from pomp_clang.selection.cost.summary import Function, Summary

Key = tuple[int, str]
"""A function in code: which unit it is of, -1 if it is that of all, and its name there."""


@record
class Estimate:
    """What is known of a function of the source: the nanoseconds of a call with all that it
    leads to; `inlined` if there is no code of it but in others', `loops` if it has a loop,
    `sends` if it calls MPI, `repeated` if it is called in a loop."""

    nanoseconds: float
    inlined: bool
    loops: bool
    sends: bool
    repeated: bool = False

    @property
    def worth_it(self) -> bool:
        """Whether a call costs so much that its events do not matter."""
        least = prices.REPEATED_WORTH if self.repeated else prices.WORTH
        return self.nanoseconds * prices.CYCLES_PER_NANOSECOND >= least


@record
class Estimates:
    """Those of a program's functions, as far as its units are known."""

    found: Mapping[Spot, Estimate]

    def of(self, file: str, line: int, name: str) -> Estimate | None:
        """That of a function; None if no code is made of it."""
        base = os.path.basename(file)
        named = self.found.get((base, line, name))
        if named is not None:
            return named
        there = [each for spot, each in self.found.items() if spot[:2] == (base, line)]
        return max(there, key=lambda each: each.nanoseconds, default=None)


def estimates(units: Sequence[Summary]) -> Estimates:
    """What is known of all functions that units of one program hold code of."""
    return _Program(units).estimates()


class _Program:
    def __init__(self, units: Sequence[Summary]) -> None:
        self._units = units
        self._local = [{each.name for each in unit if each.local} for unit in units]
        self._codes: dict[Key, tuple[int, Function]] = {}
        for number, unit in enumerate(units):
            for each in unit:
                self._codes.setdefault(self._key(number, each.name), (number, each))
        calls = {
            key: {
                self._key(number, name): nest
                for name, nest in code.calls.items()
                if self._key(number, name) in self._codes
            }
            for key, (number, code) in self._codes.items()
        }
        # What is called comes before what calls.
        groups = list(_components({key: list(after) for key, after in calls.items()}))
        self._around = _around(groups, calls)
        self._cycles: dict[Key, float] = {}
        for group in groups:
            self._cycles.update(self._together(group))

    def estimates(self) -> Estimates:
        """Return those of all units."""
        members = [(key, number, code) for key, (number, code) in self._codes.items()]
        alone: dict[Spot, list[Estimate]] = {}
        inlined: dict[Spot, list[Estimate]] = {}
        for key, number, code in members:
            for part in code.parts(self._around[key]):
                if part.spot is not None:
                    kind = inlined if part.inlined else alone
                    cycles = self._paid(number, part) if part.inlined else self._cycles[key]
                    found = _estimate(part, cycles, self._around[key] > 0)
                    kind.setdefault(part.spot, []).append(found)
        typical = {spot: _typical(each) for spot, each in inlined.items()}
        return Estimates({**typical, **{spot: _dearest(each) for spot, each in alone.items()}})

    def _together(self, group: list[Key]) -> dict[Key, float]:
        """The cycles of a call of functions that call one another, or of a single one.

        What calls itself does so for a part of its work, and a call is one part.  A recursion
        that ends makes on average not one more call a call: what the code seems to make beyond
        that, its loops go round less often.
        """
        self._cycles.update(dict.fromkeys(group, 0.0))
        paid = {}
        for key in group:
            number, code = self._codes[key]
            own = code.parts(self._around[key])[0]
            calls = own.calls.items()
            again = sum((often for name, often in calls if self._key(number, name) in group), 0.0)
            paid[key] = self._paid(number, own) / max(again, 1.0)
        return paid

    def _key(self, number: int, name: str) -> Key:
        return (number if name in self._local[number] else -1, name)

    def _paid(self, number: int, part: Part) -> float:
        """The cycles of a call, with those that it calls."""
        paid = part.cycles
        for name, often in part.calls.items():
            known = self._cycles.get(self._key(number, name))
            paid += often * (prices.callee(name) if known is None else known + prices.CALL)
        return paid


def _estimate(part: Part, cycles: float, repeated: bool) -> Estimate:
    return Estimate(
        cycles / prices.CYCLES_PER_NANOSECOND,
        part.inlined,
        part.loops,
        any(name.startswith(prices.MESSAGES) for name in part.calls),
        part.repeated or repeated,
    )


def _typical(each: list[Estimate]) -> Estimate:
    """Of the places that it was inlined in: what is unrolled there counts several times."""
    return _joined(each, median(one.nanoseconds for one in each))


def _dearest(each: list[Estimate]) -> Estimate:
    """Of the instances of a template."""
    return _joined(each, max(one.nanoseconds for one in each))


def _joined(each: list[Estimate], nanoseconds: float) -> Estimate:
    return Estimate(
        nanoseconds,
        each[0].inlined,
        any(one.loops for one in each),
        any(one.sends for one in each),
        any(one.repeated for one in each),
    )


def _around(groups: list[list[Key]], calls: Mapping[Key, Mapping[Key, int]]) -> dict[Key, int]:
    """In how many loops each function is called, those of its callers' callers counted."""
    found = {key: 0 for group in groups for key in group}
    for group in reversed(groups):
        for key in group:
            for other, nest in calls[key].items():
                if other not in group:
                    found[other] = max(found[other], min(found[key] + nest, prices.DEEP))
    return found


def _components(after: Mapping[Key, list[Key]]) -> Iterator[list[Key]]:
    """Functions that call one another together, what is called before what calls (Tarjan)."""
    index: dict[Key, int] = {}
    low: dict[Key, int] = {}
    kept: list[Key] = []
    held: set[Key] = set()
    for root in after:
        if root in index:
            continue
        pending = [(root, iter(after[root]))]
        while pending:
            key, others = pending[-1]
            if key not in index:
                index[key] = low[key] = len(index)
                kept.append(key)
                held.add(key)
            for other in others:
                if other not in index:
                    pending.append((other, iter(after[other])))
                    break
                if other in held:
                    low[key] = min(low[key], index[other])
            else:
                pending.pop()
                if pending:
                    low[pending[-1][0]] = min(low[pending[-1][0]], low[key])
                if low[key] == index[key]:
                    group = kept[kept.index(key) :]
                    del kept[len(kept) - len(group) :]
                    held.difference_update(group)
                    yield group
