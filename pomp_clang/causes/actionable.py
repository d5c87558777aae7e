"""Which call paths can have findings; what is at the others stays in the tree of properties."""

from __future__ import annotations

import numpy as np

from pomp_clang.causes.course import Flags
from pomp_clang.causes.cube import Cube
from pomp_clang.mpi.begin_and_end import BEGIN_AND_END

_NAMES = frozenset(f"MPI_{name}" for name in BEGIN_AND_END)


def are_actionable(cube: Cube) -> Flags:
    """Return whether a person can act on what is at each call path of a cube.  How long MPI takes
    to begin and to end is no choice of the program, and its threads cannot help there."""
    return np.array([place.name not in _NAMES for place in cube.paths], np.bool_)
