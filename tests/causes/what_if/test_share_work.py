"""The work before barriers in even shares: small columns, worked out by hand."""

from __future__ import annotations

import numpy as np

from pomp_clang.causes.run.points import Point
from pomp_clang.causes.waits.wait_graph import WaitGraph
from pomp_clang.causes.what_if.share_work import shared

TEAMS = 1


def two_members(work: list[list[float]]) -> WaitGraph:
    """Return points of two members, which begin a region and then come to two barriers each."""
    columns = np.array(work, np.float64).reshape(-1)
    kind = np.array([Point.BEGIN, Point.ARRIVE, Point.PASS, Point.ARRIVE] * 2, np.uint8)
    barrier = np.array([0, TEAMS, TEAMS, TEAMS + 1] * 2, np.int32)
    none = np.zeros(len(kind))
    return WaitGraph(
        kind, barrier, none.astype(np.uint16), none.astype(np.int64), columns, none,
        none.astype(np.uint32), np.array([0, 4, 8]), 3, TEAMS, 3, 3, 3,
    )  # fmt: skip


def test_members_share_the_work_before_each_barrier() -> None:
    """At the second barrier, one member has no work of its own to scale, and gets the rest there."""
    graph = two_members([[1, 30, 5, 8], [1, 10, 5, 0]])
    arrivals, since = np.array([1, 3, 5, 7], np.int32), np.array([0, 2, 4, 6], np.int32)
    work = shared(graph, graph.work, arrivals, since, np.zeros(2))
    assert work.reshape(2, -1).tolist() == [[1, 20, 5, 4], [1, 20, 5, 4]]


def test_tasks_in_the_barrier_are_part_of_the_shares() -> None:
    graph = two_members([[1, 30, 5, 8], [1, 10, 5, 0]])
    arrivals, since = np.array([1, 5], np.int32), np.array([0, 4], np.int32)
    work = shared(graph, graph.work, arrivals, since, np.array([20.0, 0.0]))
    assert work.reshape(2, -1).tolist() == [[1, 30, 5, 8], [1, 30, 5, 0]]
