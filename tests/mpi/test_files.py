"""Bytes read are incoming and bytes written are outgoing, for each of MPI's ways to access
files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mpi.harness import MPIS, build, moved, report, run

UNIT = 12
NP = 3
ALONE = ("_at", "", "_shared")
TOGETHER = ("_at_all", "_all", "_ordered")


def expected(rank: int) -> dict[str, tuple[int, ...]]:
    """Return bytes in, bytes out, and operations."""
    return {
        **{name: row for way in ALONE for name, row in _alone(way).items()},
        **{name: row for way in TOGETHER for name, row in _together(way, rank).items()},
        "part_of_it": (UNIT, 0, 1, 0, 0),
        "none_of_it": (0, 0, 1, 0, 0),
    }


def _alone(way: str) -> dict[str, tuple[int, ...]]:
    """Return the volumes of blocking and nonblocking independent calls."""
    read, written = (UNIT, 0, 1, 0, 0), (0, UNIT, 0, 1, 0)
    return {
        f"read{way}": read,
        f"iread{way}": read,
        f"write{way}": written,
        f"iwrite{way}": written,
    }


def _together(way: str, rank: int) -> dict[str, tuple[int, ...]]:
    """Return the volumes of collective, split and, except for the shared pointer, nonblocking
    calls."""
    own = UNIT * (rank + 1) if way == "_ordered" else UNIT
    read, written, nothing = (own, 0, 0, 0, 1), (0, own, 0, 0, 1), (0,) * 5
    nonblocking = {} if way == "_ordered" else {f"iread{way}": read, f"iwrite{way}": written}
    return {
        f"read{way}": read,
        f"read{way}_begin": nothing,
        f"read{way}_end": read,
        f"write{way}": written,
        f"write{way}_begin": nothing,
        f"write{way}_end": written,
        **nonblocking,
    }


@pytest.mark.parametrize("volume", ["naive", "minimal"])
@pytest.mark.parametrize("mpi", MPIS)
def test_what_is_read_and_written(programs: Path, tmp_path: Path, mpi: str, volume: str) -> None:
    program = build(mpi, "files", programs)
    run(program, NP, tmp_path / "run", str(tmp_path / "file"), POMP_MPI_VOLUME=volume)
    document = report(tmp_path / "run")
    for rank in range(NP):
        assert moved(document, rank) == expected(rank), rank
