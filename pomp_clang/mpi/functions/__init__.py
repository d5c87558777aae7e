"""The functions of MPI's C binding: all of 3.1, and the functions added by 4.0.

They are in the order of the standard's chapters.  For `LEFT` there are no functions of ours:
they cost less than to measure them, and MPI_Pcontrol is a tool's own.
"""

from __future__ import annotations

from pomp_clang.mpi.functions import (
    collective,
    communicators,
    datatypes,
    environment,
    files,
    messages,
    one_sided,
)

FUNCTIONS = (
    *messages.FUNCTIONS,
    *datatypes.FUNCTIONS,
    *collective.FUNCTIONS,
    *communicators.FUNCTIONS,
    *environment.FUNCTIONS,
    *one_sided.FUNCTIONS,
    *files.FUNCTIONS,
)

HANDLES = ("Comm", "Errhandler", "File", "Group", "Info", "Message", "Op", "Request", "Session")
LEFT = frozenset(
    (
        *(f"{handle}_{way}" for handle in (*HANDLES, "Type", "Win") for way in ("c2f", "f2c")),
        *(f"Status_{way}" for way in ("c2f", "f2c", "c2f08", "f082c", "f2f08", "f082f")),
        *("Aint_add", "Aint_diff", "Pcontrol", "Wtick", "Wtime"),
    )
)
