"""Cases beyond the table of volumes, for each rank of four."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mpi.harness import MPIS, build, moved, report, run

UNIT = 12
NP = 4
COLLECTIVE = (0, 0, 1)
SEND, RECEIVE, BOTH = (0, 1, 0), (1, 0, 0), (1, 1, 0)


def expected(rank: int, minimal: bool) -> dict[str, tuple[int, ...]]:
    """Return bytes in, bytes out, and operations by call."""
    of = _in_place, _between, _distinct, _others
    return {name: moved_ for part in of for name, moved_ in part(rank, minimal).items()}


def _in_place(rank: int, minimal: bool) -> dict[str, tuple[int, ...]]:
    root = rank == 1
    others = UNIT if minimal else UNIT * (NP - 1)
    all_but_own = (UNIT * (NP - 1),) * 2
    gathered = (UNIT * (NP - 1), 0) if root else (0, UNIT)
    scanned = (UNIT if rank else 0, UNIT if rank < NP - 1 else 0, *COLLECTIVE)
    return {
        "in_place_gather": (*gathered, *COLLECTIVE),
        "in_place_gatherv": (*gathered, *COLLECTIVE),
        "in_place_scatter": (*gathered[::-1], *COLLECTIVE),
        "in_place_allgather": (UNIT * (NP - 1), others, *COLLECTIVE),
        "in_place_allgatherv": (UNIT * (NP - 1), others, *COLLECTIVE),
        "in_place_allreduce": (others, others, *COLLECTIVE),
        "in_place_reduce": (*((others, 0) if root else (0, UNIT)), *COLLECTIVE),
        "in_place_reduce_scatter": (others, UNIT * (NP - 1), *COLLECTIVE),
        "in_place_reduce_scatter_block": (others, UNIT * (NP - 1), *COLLECTIVE),
        "in_place_scan": scanned,
        "in_place_exscan": scanned,
        "in_place_alltoall": (*all_but_own, *COLLECTIVE),
        "in_place_alltoallv": (*all_but_own, *COLLECTIVE),
        "in_place_alltoallw": (*all_but_own, *COLLECTIVE),
    }


def _between(rank: int, minimal: bool) -> dict[str, tuple[int, ...]]:
    """Return the volumes between groups: one process on this side, three on the other."""
    three = UNIT * 3
    once = UNIT if minimal else three
    alone = rank == 0
    return {
        "inter_bcast": (*((0, once) if alone else (UNIT, 0)), *COLLECTIVE),
        "inter_gather": (*((three, 0) if alone else (0, UNIT)), *COLLECTIVE),
        "inter_reduce": (*((once, 0) if alone else (0, UNIT)), *COLLECTIVE),
        "inter_allgather": (*((three, once) if alone else (UNIT, UNIT)), *COLLECTIVE),
    }


def _distinct(rank: int, minimal: bool) -> dict[str, tuple[int, ...]]:
    """Return the volumes of requests; their data counts where they are completed."""
    return {
        "begun": (0,) * 5,
        "waitall": (UNIT, UNIT, *BOTH),
        "each_way": (80, 80, 20, 20, 0),
        "ibcast": (
            *((0, UNIT if minimal else UNIT * (NP - 1)) if rank == 0 else (UNIT, 0)),
            *COLLECTIVE,
        ),
        "to_none": (0, 0, *BOTH),
        "persistent": (5 * UNIT, 5 * UNIT, 5, 5, 0),
        "cancelled": (0,) * 5,
    }


def _others(rank: int, minimal: bool) -> dict[str, tuple[int, ...]]:
    neighbours = 1 if rank in (0, NP - 1) else 2
    others = 1 if minimal else neighbours
    exchanged = {0: 24, NP - 1: 12}.get(rank, 36)
    arrived = {0: 12, NP - 1: 24}.get(rank, 36)
    return {
        "put": (0, UNIT, *SEND),
        "get": (UNIT, 0, *RECEIVE),
        "accumulate": (0, UNIT, *SEND),
        "get_accumulate": (UNIT, UNIT, *BOTH),
        "fetch_and_op": (4, 4, *BOTH),
        "compare_and_swap": (4, 8, *BOTH),
        "rput": (0, UNIT, *SEND),
        "neighbor_allgather": (UNIT * neighbours, UNIT * others, *COLLECTIVE),
        "neighbor_alltoall": (UNIT * neighbours, UNIT * neighbours, *COLLECTIVE),
        "neighbor_alltoallv": (arrived, exchanged, *COLLECTIVE),
        "write_at": (0, UNIT, *SEND),
        "write_at_all": (0, UNIT, *COLLECTIVE),
        "read_at": (UNIT, 0, *RECEIVE),
        "iwrite_at": (0, UNIT, *SEND),
    }


@pytest.mark.parametrize("volume", ["naive", "minimal"])
@pytest.mark.parametrize("mpi", MPIS)
def test_variants_of_calls(programs: Path, tmp_path: Path, mpi: str, volume: str) -> None:
    program = build(mpi, "variants", programs)
    run(program, NP, tmp_path / "run", str(tmp_path / "file"), POMP_MPI_VOLUME=volume)
    document = report(tmp_path / "run")
    for rank in range(NP):
        actual = moved(document, rank)
        calls = expected(rank, volume == "minimal")
        # A send may be complete, and be reported as complete, when it begins.
        assert actual["each_way"][0::2] == calls["each_way"][0::2]
        del actual["each_way"], calls["each_way"]
        assert actual == calls, rank
    total = document["mpi"]
    assert total["inV"] >= total["recvC"]
    assert [process["mpi"]["size"] for process in document["processes"]] == [NP] * NP
