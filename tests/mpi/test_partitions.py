"""Messages in partitions: what the threads gave is moved, once, where the operation is complete."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.mpi.harness import MPIS, build, environment, moved, needs, report, run

WHOLE = 48  # bytes: four partitions of three of type int
AGAIN = 3
NOTHING = ("prepared", "start", "pready", "parrived", "pready_range", "pready_list")


def has_partitions(mpi: str) -> bool:
    """Return true if this MPI implements MPI 4.0."""
    needs(mpi)
    result = subprocess.run(
        [f"mpicc.{mpi}", "-E", "-x", "c", "-"],
        input="#include <mpi.h>\nversion MPI_VERSION\n",
        capture_output=True,
        text=True,
        env=environment(),
        check=True,
    )
    return int(result.stdout.splitlines()[-1].removeprefix("version ")) >= 4


@pytest.mark.parametrize("mpi", MPIS)
def test_a_message_in_partitions(programs: Path, tmp_path: Path, mpi: str) -> None:
    if not has_partitions(mpi):
        pytest.skip(f"{mpi} has no partitioned communication")
    program = build(mpi, "partitions", programs)
    for np, volume in ((2, "naive"), (3, "minimal")):
        folder = tmp_path / volume
        run(program, np, folder, POMP_MPI_VOLUME=volume)
        document = report(folder)
        for rank in range(np):
            assert moved(document, rank) == {
                **dict.fromkeys(NOTHING, (0,) * 5),
                "waitall": (WHOLE, WHOLE, 1, 1, 0),
                "again": (AGAIN * WHOLE, AGAIN * WHOLE, AGAIN, AGAIN, 0),
            }
