"""The table against the headers of real MPIs, and the C code generated from it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from pomp_clang.mpi import fortran
from pomp_clang.mpi.functions import FUNCTIONS, LEFT
from pomp_clang.mpi.generate import chosen, declared, source, types
from pomp_clang.mpi.variants import NUMBERS, variants
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
    names = [variant.name for variant in variants(ROWS["Bcast"])]
    assert names == ["Bcast", "Bcast_c", "Ibcast", "Ibcast_c", "Bcast_init", "Bcast_init_c"]
    reads = [variant.name for variant in variants(ROWS["File_read_at_all"])]
    assert reads == [f"File_{i}read_at_all{c}" for i in ("", "i") for c in ("", "_c")]
    by_name = {variant.name: variant for variant in variants(ROWS["Recv"])}
    assert by_name["Irecv_c"].parameters[1] == "MPI_Count count"
    assert by_name["Irecv"].parameters[-1] == "MPI_Request *request"
    assert by_name["Recv_init"].persistent
    assert not by_name["Irecv"].persistent


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
    begin = f"pomp_mpi_begin_at(&call, {NUMBERS['MPI_Barrier']}, __builtin_return_address(0))"
    order = [begin, "= next(comm)", "pomp_mpi_end(&call)"]
    assert sorted(order, key=text.index) == order


def test_functions_that_begin_and_end_mpi_are_marked() -> None:
    text = source({"Finalize": ()})
    assert f"pomp_mpi_begin_at(&call, {NUMBERS['MPI_Finalize']} | POMP_MPI_INIT, __" in text


def _library(defined: str, called: str) -> fortran.FortranLibrary:
    return fortran.FortranLibrary(
        "libf.so.1", frozenset(defined.split()), frozenset(called.split())
    )


def test_calls_of_the_profiling_interface_by_a_procedure_of_that_name_run_the_wrapper() -> None:
    library = _library("mpi_barrier_ mpi_barrier__ mpi_barrier_f08_ mpi_gather_", "PMPI_Barrier")
    text = fortran.source({"Barrier": ("MPI_Comm",)}, [library])
    assert "int (PMPI_Barrier)(MPI_Comm comm) {" in text
    callers = '{"libf.so.1", "mpi_barrier_", 0, 0}, {"libf.so.1", "mpi_barrier_f08_", 0, 0}'
    assert f"procedures[] = {{{callers}}}" in text
    assert "return MPI_Barrier(comm);" in text


def test_procedures_that_call_a_wrapper_themselves_are_left_alone() -> None:
    library = _library("mpi_barrier_ pmpi_barrier_", "MPI_Barrier")
    assert fortran.source({"Barrier": ("MPI_Comm",)}, [library]) == ""


def test_a_procedure_that_calls_no_function_of_c_gets_one_around_it() -> None:
    defined = "mpi_attr_get_ pmpi_attr_get_ mpi_attr_get_f08_ pmpir_attr_get_f08_"
    declared_ = {"Attr_get": types(("MPI_Comm c", "int k", "void *v", "int *f"))}
    text = fortran.source(declared_, [_library(defined, "")])
    for generated, original in (
        ("mpi_attr_get_", "pmpi_attr_get_"),
        ("mpi_attr_get_f08_", "pmpir_attr_get_f08_"),
    ):
        assert f"void {generated}(void *a0, void *a1, void *a2, void *a3, void *a4) {{" in text
        assert f"  {original}(a0, a1, a2, a3, a4);" in text
    assert f"pomp_mpi_begin_at(&call, {NUMBERS['MPI_Attr_get']}, __" in text
