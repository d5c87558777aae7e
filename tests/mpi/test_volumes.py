"""The bytes that each call moves, against the table of volumes, for each rank, naive and
minimal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mpi.harness import MPIS, build, moved, report, run

UNIT = 12  # bytes: three of type int
SEND, RECEIVE, COLLECTIVE = (0, 1, 0), (1, 0, 0), (0, 0, 1)

TIME_ONLY = ("probe", "pack", "unpack", "wait")


def expected(np: int, rank: int, minimal: bool) -> dict[str, tuple[int, ...]]:
    """Return bytes in, bytes out, and operations by call; the root is the last process.

    If sizes differ, process i has i + 1 units.
    """
    root, last, first = rank == np - 1, rank == np - 1, rank == 0
    own, everyone = UNIT * (rank + 1), UNIT * np * (np + 1) // 2
    others = 1 if minimal else np - 1
    messages = 1 if minimal else np
    scanned = (0 if first else UNIT, 0 if last else UNIT, *COLLECTIVE)
    return {
        "send": (0, UNIT, *SEND),
        "bsend": (0, UNIT, *SEND),
        "ssend": (0, UNIT, *SEND),
        "rsend": (0, UNIT, *SEND),
        "recv": (UNIT, 0, *RECEIVE),
        "sendrecv": (UNIT, UNIT, 1, 1, 0),
        "sendrecv_replace": (UNIT, UNIT, 1, 1, 0),
        "bcast": (0 if root else UNIT, UNIT * others if root else 0, *COLLECTIVE),
        "scatter": (UNIT, UNIT * np if root else 0, *COLLECTIVE),
        "gather": (UNIT * np if root else 0, UNIT, *COLLECTIVE),
        "scatterv": (own, everyone if root else 0, *COLLECTIVE),
        "gatherv": (everyone if root else 0, own, *COLLECTIVE),
        "allgather": (UNIT * np, UNIT * messages, *COLLECTIVE),
        "allgatherv": (everyone, own * messages, *COLLECTIVE),
        "reduce": (UNIT * others if root else 0, 0 if root else UNIT, *COLLECTIVE),
        "reduce_scatter": (own * others, everyone - own, *COLLECTIVE),
        "scan": scanned,
        "allreduce": (UNIT * others, UNIT * others, *COLLECTIVE),
        "alltoall": (UNIT * np, UNIT * np, *COLLECTIVE),
        "alltoallv": (own * np, everyone, *COLLECTIVE),
        "barrier": (0, 0, *COLLECTIVE),
        **dict.fromkeys(TIME_ONLY, (0,) * 5),
        "alltoallw": (own * np, everyone, *COLLECTIVE),
        "exscan": scanned,
        "reduce_scatter_block": (UNIT * others, UNIT * (np - 1), *COLLECTIVE),
    }


@pytest.mark.parametrize("form", ["BEGUN", "PREPARED"])
@pytest.mark.parametrize("mpi", MPIS)
def test_the_same_is_moved_by_other_forms(tmp_path: Path, mpi: str, form: str) -> None:
    program = build(mpi, "begun", tmp_path, f"-D{form}")
    for np, volume in ((4, "naive"), (3, "minimal")):
        folder = tmp_path / f"{np}-{volume}"
        run(program, np, folder, POMP_MPI_VOLUME=volume)
        document = report(folder)
        for rank in range(np):
            actual = moved(document, rank)
            assert actual == expected(np, rank, volume == "minimal"), (np, volume, rank)


@pytest.mark.parametrize("mpi", MPIS)
def test_every_row_of_the_table(programs: Path, tmp_path: Path, mpi: str) -> None:
    program = build(mpi, "volumes", programs)
    for np in range(1, 6):
        for volume in ("naive", "minimal"):
            folder = tmp_path / f"{np}-{volume}"
            run(program, np, folder, POMP_MPI_VOLUME=volume)
            document = report(folder)
            assert [process["mpi"]["volume"] for process in document["processes"]] == [volume] * np
            for rank in range(np):
                actual = moved(document, rank)
                assert actual == expected(np, rank, volume == "minimal"), (np, volume, rank)
            for process in document["processes"]:
                times = {r["sub_name"]: r["sum"].get("mpiT", 0) for r in process["regions"]}
                assert all(times[name] > 0 for name in (*TIME_ONLY, "barrier")), times
