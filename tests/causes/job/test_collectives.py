"""Waits in collective operations, computed by hand."""

from __future__ import annotations

import pytest

from pomp_clang.trace.mpi.columns import Communicator
from tests.causes.jobs import Script, states

SMALL, BETWEEN = 7, 8


@pytest.mark.parametrize(
    "name",
    ["Allreduce", "Allgather", "Allgatherv", "Alltoall", "Alltoallv", "Alltoallw",
     "Reduce_scatter", "Reduce_scatter_block"],
)  # fmt: skip
def test_all_wait_for_the_last_one_and_then_for_the_data(name: str) -> None:
    job = Script(3)
    job.collective(name, (1, 5.3), (3, 5.5), (5, 5.25))
    assert states(job) == {
        "NXN": {(0, name): 4, (1, name): 2},
        "NXN_COMPLETION": {(0, name): 0.05, (1, name): 0.25},
    }


def test_a_barrier() -> None:
    job = Script(3)
    job.collective("Barrier", (1, 5.3), (3, 5.5), (5, 5.25))
    assert states(job) == {
        "BARRIER": {(0, "Barrier"): 4, (1, "Barrier"): 2},
        "BARRIER_COMPLETION": {(0, "Barrier"): 0.05, (1, "Barrier"): 0.25},
    }


@pytest.mark.parametrize("name", ["Bcast", "Scatter", "Scatterv"])
def test_others_wait_for_the_root(name: str) -> None:
    """Not for each other: the last one is late for itself alone."""
    job = Script(4)
    job.collective(name, (1, 4.5), (4, 4.4), (2, 4.6), (6, 6.1), root=1)
    assert states(job) == {"LATE_BROADCAST": {(0, name): 3, (2, name): 2}}


@pytest.mark.parametrize("name", ["Reduce", "Gather", "Gatherv"])
def test_the_root_waits_for_the_last_of_the_others(name: str) -> None:
    """The other ranks do not wait for the root."""
    job = Script(4)
    job.collective(name, (2, 2.1), (1, 5.5), (5, 5.1), (0.5, 0.6), root=1)
    assert states(job) == {"EARLY_REDUCE": {(1, name): 4}}


def test_a_root_that_comes_last_waits_for_nobody() -> None:
    job = Script(3)
    job.collective("Reduce", (2, 2.1), (7, 7.5), (5, 5.1), root=1)
    assert states(job) == {}


@pytest.mark.parametrize("name", ["Scan", "Exscan"])
def test_each_waits_for_those_of_lower_rank(name: str) -> None:
    """The last one is late; what those above it do does not matter to it."""
    job = Script(4)
    job.collective(name, (3, 3.1), (1, 3.2), (6, 6.1), (2, 6.2))
    assert states(job) == {"EARLY_SCAN": {(1, name): 2, (3, name): 4}}


def test_ranks_are_those_of_the_communicator() -> None:
    """In which the job's last process is the first."""
    job = Script(3, communicators=[Communicator(SMALL, (2, 0))])
    job.together(job.call(0, "Scan", 1, 5.1), job.call(2, "Scan", 5, 5.1), communicator=SMALL)
    assert states(job) == {"EARLY_SCAN": {(0, "Scan"): 4}}


def test_only_those_in_the_communicator_take_part() -> None:
    """Two operations at once, of halves of the job."""
    job = Script(4, communicators=[Communicator(SMALL, (0, 1)), Communicator(SMALL + 1, (2, 3))])
    for first, last, late in ((0, 1, 3.0), (2, 3, 8.0)):
        job.together(
            job.call(first, "Allreduce", 1, late + 0.1),
            job.call(last, "Allreduce", late, late + 0.1),
            communicator=SMALL + first // 2,
        )
    assert states(job) == {"NXN": {(0, "Allreduce"): 2, (2, "Allreduce"): 7}}


def test_between_two_groups_each_waits_for_the_other_one() -> None:
    """Ranks 0 and 1 get the data that ranks 2 and 3 give."""
    job = Script(4, communicators=[Communicator(BETWEEN, (0, 1), (2, 3))])
    times = ((1, 6.1), (5, 6.1), (2, 5.1), (6, 6.1))
    job.together(
        *(job.call(rank, "Allreduce", *when) for rank, when in enumerate(times)),
        communicator=BETWEEN,
    )
    assert states(job) == {
        "NXN": {(0, "Allreduce"): 5, (1, "Allreduce"): 1, (2, "Allreduce"): 3},
        "NXN_COMPLETION": {(0, "Allreduce"): 0.1, (1, "Allreduce"): 0.1, (3, "Allreduce"): 0.1},
    }


def test_from_one_group_to_the_other() -> None:
    """The root sends to the other group; other ranks of its own group take no part."""
    job = Script(4, communicators=[Communicator(BETWEEN, (0, 1), (2, 3))])
    times = ((4, 4.1), (1, 1.1), (2, 4.2), (3, 4.2))
    job.together(
        *(job.call(rank, "Bcast", *when) for rank, when in enumerate(times)),
        communicator=BETWEEN,
        roots={0: 0, 2: 0, 3: 0},
    )
    assert states(job) == {"LATE_BROADCAST": {(2, "Bcast"): 2, (3, "Bcast"): 1}}


def test_from_the_other_group_to_one() -> None:
    job = Script(4, communicators=[Communicator(BETWEEN, (0, 1), (2, 3))])
    times = ((1, 6.1), (9, 9.1), (6, 6.2), (3, 6.2))
    job.together(
        *(job.call(rank, "Reduce", *when) for rank, when in enumerate(times)),
        communicator=BETWEEN,
        roots={0: 0, 2: 0, 3: 0},
    )
    assert states(job) == {"EARLY_REDUCE": {(0, "Reduce"): 5}}


def test_what_was_begun_is_waited_for_where_it_is_completed() -> None:
    """Rank 0 does something else until 3, and then waits up to 5; rank 2 comes to its wait when
    all have begun."""
    job = Script(3)
    job.together(
        (job.call(0, "Iallreduce", 1, 1.1), job.call(0, "Wait", 3, 5.2)),
        (job.call(1, "Iallreduce", 5, 5.1), job.call(1, "Wait", 5.1, 5.2)),
        (job.call(2, "Iallreduce", 2, 2.1), job.call(2, "Wait", 6, 6.1)),
    )
    actual = states(job)
    assert actual["NXN"] == {(0, "Wait"): 2}
    assert actual["NXN_COMPLETION"] == {(2, "Wait"): 0.1}


def test_one_process_alone_waits_for_nobody() -> None:
    job = Script(1)
    job.collective("Allreduce", (1, 1.5))
    job.collective("Barrier", (2, 2.5))
    job.collective("Bcast", (3, 3.5), root=0)
    job.collective("Reduce", (4, 4.5), root=0)
    job.collective("Scan", (5, 5.5))
    assert states(job) == {}


def test_nobody_is_waited_for_who_was_not_seen() -> None:
    """In the trace of a killed program, the root and the senders are missing."""
    job = Script(3)
    job.together(job.call(0, "Bcast", 1, 5), job.call(2, "Bcast", 2, 5), root=1)
    job.together(job.call(1, "Reduce", 1, 5), root=1)
    assert states(job) == {}


def test_of_neighbours_nothing_is_said() -> None:
    """The topology decides which process waits for which."""
    job = Script(2)
    job.collective("Neighbor_alltoall", (1, 5.1), (5, 5.1))
    assert states(job) == {}
