"""What a row of the table of MPI functions says."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Function:
    """One function, and those that differ from it by a rule.

    `parameters` are C declarations in which N stands for int, D for int where it is a
    displacement, and A for MPI_Aint: in the function with `_c` at its end (MPI 4.0), which
    there is where one of these stands, they are MPI_Count, MPI_Aint and MPI_Count.

    `moves` names the rules of runtime/mpi that say what a call moves, with their arguments;
    `x[]` is an array.  Where a request is the last parameter that is so when it is complete.

    `forms` are the functions of the same parameters and a request: "I" begins the operation,
    "init" makes one that is begun again and again; "init_info" as well, and takes an MPI_Info.

    `before` and `after` are what else is done round the call; `completes` says of which
    requests, how many, and with which status: see `completion`.
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
