"""MPI's place in the tree: nothing of it is recorded."""

from __future__ import annotations

from pomp_clang.causes.properties.time import Execution
from pomp_clang.causes.property import Property
from pomp_clang.causes.run import Run


class Mpi(Property):
    name = "MPI"
    parent = Execution
    description = "What threads take in MPI calls."

    def severity(self, run: Run) -> None:
        return None


PROPERTIES = (Mpi,)
