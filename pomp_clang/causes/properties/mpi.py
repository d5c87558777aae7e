"""MPI's place in the tree: nothing of it is recorded."""

from __future__ import annotations

from pomp_clang.causes.properties.time import Execution
from pomp_clang.causes.property import Property


class Mpi(Property):
    name = "MPI"
    parent = Execution
    description = "What threads take in MPI calls."


PROPERTIES = (Mpi,)
