"""Graphs with a counter on each arc that is not on the spanning tree."""

from __future__ import annotations

from pomp_clang.driver.flow import FAKE, ON_TREE, Arc, Graph, fitted

GONE = Arc(1, FAKE)


def graph(*blocks: tuple[Arc, ...]) -> Graph:
    """The arcs of the blocks 0, 2, 3 ..."""
    numbers = [0, *range(2, len(blocks) + 1)]
    return Graph(len(blocks) + 1, dict(zip(numbers, blocks, strict=True)))


def test_the_same_blocks_have_the_counters_that_were_made() -> None:
    native = graph((Arc(2, 0),), (Arc(3, ON_TREE), GONE), (Arc(1, 0),))
    made = graph((Arc(2, ON_TREE),), (Arc(3, ON_TREE), GONE), (Arc(1, 0),))
    arcs = fitted(made, native)
    assert arcs == made.arcs


def test_a_block_on_an_arc_is_taken_out_and_its_counter_stays() -> None:
    """2 ends with a call; 3 is ours, on the way to 4, where a loop back to 2 begins."""
    native = graph((Arc(2, 0),), (Arc(3, 0), GONE), (Arc(2, ON_TREE), Arc(1, 0)))
    made = graph((Arc(2, 0),), (Arc(3, ON_TREE), GONE), (Arc(4, 0),), (Arc(2, ON_TREE), Arc(1, 0)))
    arcs = fitted(made, native)
    assert arcs is not None
    assert sorted(arcs[2], key=lambda arc: arc.target) == [GONE, Arc(3, 0)]
    # The counter of the call came first, and does so still.
    assert arcs[2] == (GONE, Arc(3, 0))
    assert (arcs[0], arcs[3]) == (native.arcs[0], native.arcs[3])


def test_an_order_of_branches_is_kept_or_nothing_is() -> None:
    """The way to 3 is over 4, which is ours and has a counter behind that of the other way."""
    native = graph((Arc(2, 0),), (Arc(3, 0), Arc(1, 0)), (Arc(1, ON_TREE),))
    made = graph((Arc(2, 0),), (Arc(3, ON_TREE), Arc(1, 0)), (Arc(4, 0),), (Arc(1, ON_TREE),))
    assert fitted(made, native) is None


def test_other_graphs_are_not_fitted() -> None:
    native = graph((Arc(2, 0),), (Arc(1, 0),))
    assert fitted(graph((Arc(2, 0),), (Arc(1, 0), GONE)), native) is None
    assert fitted(native, graph((Arc(2, 0),), (Arc(3, 0),), (Arc(1, 0),))) is None


def test_a_block_of_ours_where_ways_meet_is_taken_out_if_it_has_no_counter() -> None:
    native = graph(
        (Arc(2, 0),), (Arc(3, 0), Arc(4, ON_TREE)), (Arc(4, 0),), (Arc(1, ON_TREE), GONE)
    )
    ways = (Arc(2, 0),), (Arc(3, 0), Arc(4, ON_TREE)), (Arc(4, 0),)
    end = (Arc(1, ON_TREE), GONE)
    made = graph(*ways, (Arc(5, ON_TREE),), end)
    assert fitted(made, native, ours=[4]) == native.arcs
    assert fitted(graph(*ways, (Arc(5, 0),), end), native, ours=[4]) is None
