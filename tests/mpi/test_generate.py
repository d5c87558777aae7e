"""The table against the headers of real MPIs, and the C that is made of it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from pomp_clang.mpi.declared import declared, types
from pomp_clang.mpi.functions import FUNCTIONS, LEFT
from pomp_clang.mpi.generate import chosen, source
from pomp_clang.mpi.names import NUMBERS
from pomp_clang.mpi.variants import variants
from tests.mpi.harness import MPIS, needs

RUNTIME = Path(__file__).parents[2] / "runtime" / "mpi"
# MPI 3.0 took these away; MPICH still has them.
REMOVED = {
    "Address", "Errhandler_create", "Errhandler_get", "Errhandler_set", "Type_extent",
    "Type_hindexed", "Type_hvector", "Type_lb", "Type_struct", "Type_ub",
}  # fmt: skip
ROWS = {row.name: row for row in FUNCTIONS}


def header(mpi: str, tmp_path: Path) -> str:
    needs(mpi)
    asking = tmp_path / "mpi.c"
    asking.write_text("#include <mpi.h>\n")
    command = [f"mpicc.{mpi}", "-E", str(asking)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("mpi", MPIS)
def test_every_function_of_the_mpi_is_there(tmp_path: Path, mpi: str) -> None:
    there = declared(header(mpi, tmp_path))
    missing = {name for name in there if not name.startswith("T_")} - set(chosen(there))
    assert missing - LEFT - REMOVED == set()
    assert len(there) > 380


def test_a_row_stands_for_its_forms_and_sizes() -> None:
    names = [each.name for each in variants(ROWS["Bcast"])]
    assert names == ["Bcast", "Bcast_c", "Ibcast", "Ibcast_c", "Bcast_init", "Bcast_init_c"]
    reads = [each.name for each in variants(ROWS["File_read_at_all"])]
    assert reads == [f"File_{i}read_at_all{c}" for i in ("", "i") for c in ("", "_c")]
    begun = {each.name: each for each in variants(ROWS["Recv"])}
    assert begun["Irecv_c"].parameters[1] == "MPI_Count count"
    assert begun["Irecv"].parameters[-1] == "MPI_Request *request"
    assert begun["Recv_init"].persistent
    assert not begun["Irecv"].persistent


def test_what_is_declared_otherwise_is_left_alone() -> None:
    text = "int PMPI_Send(const void *b, int, MPI_Datatype, int, int tag, MPI_Comm c) __attribute__((a(1)));"
    assert declared(text) == {"Send": types(next(variants(ROWS["Send"])).parameters)}
    assert set(chosen(declared(text))) == {"Send"}
    assert not chosen(declared(text.replace("const void *", "void *")))


def test_every_rule_that_a_row_names_there_is() -> None:
    rules = set(
        re.findall(r"pomp_mpi_(\w+)\(", "".join(p.read_text() for p in RUNTIME.glob("*.h")))
    )
    named = {
        name for row in FUNCTIONS for name in re.findall(r"(\w+)\(", f"{row.moves} {row.after}")
    }
    assert named <= rules
    assert {"bcast", "neighbor_alltoallw", "swap", "activate"} <= named


def test_a_function_measures_round_the_profiling_interface() -> None:
    text = source({"Barrier": ("MPI_Comm",)})
    assert "int (MPI_Barrier)(MPI_Comm comm) {" in text
    assert 'pomp_mpi_next(&known, "MPI_Barrier", (void *)PMPI_Barrier)' in text
    begin = f"pomp_mpi_begin(&call, {NUMBERS['MPI_Barrier']})"
    order = [begin, "= next(comm)", "pomp_mpi_end(&call)"]
    assert sorted(order, key=text.index) == order
