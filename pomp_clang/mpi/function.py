"""A row of the table of MPI functions."""

from __future__ import annotations

from pomp_clang.shared_dataclass import dataclass

BEGIN_AND_END = ("Init", "Init_thread", "Finalize", "Session_init", "Session_finalize")
"""The functions that begin and end the use of MPI."""


@dataclass(frozen=True, slots=True)
class MpiFunction:
    """A function of MPI, with the functions that differ from it by a rule.

    `parameters` are C declarations in which N stands for int, D for an int that is a displacement,
    and A for MPI_Aint. If one of these occurs, MPI 4.0 has a function with `_c` at its end, in
    which they are MPI_Count, MPI_Aint and MPI_Count.

    `moves` names the rules of runtime/mpi that say what a call moves, with their arguments;
    `x[]` is an array.  If the last parameter is a request, the data move when the request is complete.

    `forms` are the functions with the same parameters and a request. "I" begins the operation.
    "init" and "init_info" make one that is begun repeatedly; the latter takes an MPI_Info.

    `before` and `after` are further statements around the call. `completes` names the requests,
    their number and their status: see `completion`.
    """

    name: str
    parameters: str
    moves: str = ""
    forms: tuple[str, ...] = ()
    returns: str = "int"
    persistent: bool = False
    before: str = ""
    after: str = ""
    completes: tuple[str, str, str] | None = None
