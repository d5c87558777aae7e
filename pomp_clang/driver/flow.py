"""A function's blocks and arcs as a compiler counts them: the native ones, with the counters made.

An arc that is not on the spanning tree has a counter; the counters are in the program, in the
order of the arcs.  A block that is ours alone, on an arc that there is natively, counts nothing
of its own: of the two arcs that it makes of that one at most one has a counter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb

from pomp_clang.record import record

ON_TREE, FAKE = 1, 2
ENTRY, EXIT = 0, 1
MOST_TRIED = 300


@record
class Arc:
    """An arc to another block."""

    target: int
    flags: int


Arcs = Mapping[int, tuple[Arc, ...]]


@record
class Graph:
    """How many blocks there are, and the arcs of those that have any."""

    blocks: int
    arcs: Arcs

    @property
    def shape(self) -> tuple[int, dict[int, tuple[int, ...]]]:
        """What has to be the same natively."""
        arcs = {b: tuple(arc.target for arc in own) for b, own in self.arcs.items() if own}
        return self.blocks, arcs


def fitted(made: Graph, native: Graph, ours: Sequence[int] = ()) -> Arcs | None:
    """The native arcs with the counters that were made, if there are but blocks on them that are
    not natively; None if there is more.  What is in the blocks `ours` is inserted."""
    if made.shape == native.shape:
        return _counted(native, _numbered(made))
    more = made.blocks - native.blocks
    own = [block for block in ours if _goes_on(made, block)]
    either = [block for block in range(made.blocks) if block in own or _is_passed(made, block)]
    for candidates in (own, either):
        if more <= 0 or not 0 < comb(len(candidates), more) <= MOST_TRIED:
            continue
        for taken in combinations(candidates, more):
            arcs = _without(made, taken)
            if arcs and _shape(arcs, made.blocks, taken) == native.shape:
                return _counted(native, arcs)
    return None


def _in_order(graph: Graph) -> list[tuple[int, Arc]]:
    return [(block, arc) for block in sorted(graph.arcs) for arc in graph.arcs[block]]


class _Arc:
    """An arc that may be what was two; where its counter stands."""

    def __init__(self, source: int, arc: Arc) -> None:
        self.source = source
        self.target = arc.target
        self.fake = bool(arc.flags & FAKE)
        self.counters: list[int] = []


def _goes_on(graph: Graph, block: int) -> bool:
    """Whether one arc leads from a block."""
    own = graph.arcs.get(block, ())
    one = len(own) == 1 and block not in (ENTRY, EXIT)
    return one and own[0].target != block and not own[0].flags & FAKE


def _is_passed(graph: Graph, block: int) -> bool:
    """Whether one leads to it as well."""
    into = [arc for _, arc in _in_order(graph) if arc.target == block]
    return _goes_on(graph, block) and len(into) == 1 and not into[0].flags & FAKE


def _numbered(graph: Graph) -> list[_Arc]:
    arcs = []
    number = 0
    for block, arc in _in_order(graph):
        arcs.append(_Arc(block, arc))
        if not arc.flags & ON_TREE:
            arcs[-1].counters.append(number)
            number += 1
    return arcs


def _without(graph: Graph, taken: Sequence[int]) -> list[_Arc] | None:
    """None where a counter would be lost: it is that of several arcs."""
    arcs = _numbered(graph)
    for block in taken:
        into = [arc for arc in arcs if arc.target == block]
        (out,) = (arc for arc in arcs if arc.source == block)
        if len(into) > 1 and out.counters:
            return None
        for arc in into:
            arc.target = out.target
            arc.counters += out.counters
        arcs.remove(out)
    return arcs


def _shape(
    arcs: Sequence[_Arc], blocks: int, taken: Sequence[int]
) -> tuple[int, dict[int, tuple[int, ...]]]:
    kept = [block for block in range(blocks) if block not in taken]
    number = {block: n for n, block in enumerate(kept)}
    shape: dict[int, tuple[int, ...]] = {}
    for arc in arcs:
        source = number[arc.source]
        shape[source] = (*shape.get(source, ()), number[arc.target])
    return len(kept), shape


def _counted(native: Graph, arcs: Sequence[_Arc]) -> Arcs | None:
    """The native arcs in an order that is that of the counters; of the arcs of a block that
    goes on at one place the order is no matter."""
    found: dict[int, tuple[Arc, ...]] = {}
    order: list[int] = []
    waiting = list(arcs)
    for block in sorted(native.arcs):
        own = native.arcs[block]
        mine, waiting = waiting[: len(own)], waiting[len(own) :]
        pairs = list(zip(own, mine, strict=True))
        if sum(not arc.flags & FAKE for arc in own) == 1:
            pairs.sort(key=lambda pair: pair[1].counters)
        if any(len(one.counters) > 1 for _, one in pairs):
            return None
        order += (number for _, one in pairs for number in one.counters)
        found[block] = tuple(
            Arc(arc.target, arc.flags & ~ON_TREE | (0 if one.counters else ON_TREE))
            for arc, one in pairs
        )
    return found if order == sorted(order) else None
