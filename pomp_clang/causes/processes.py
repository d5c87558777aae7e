"""What several processes of one program would gain, each of which goes its own way."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pomp_clang.causes.algebra import of_all
from pomp_clang.causes.predict import gain_of
from pomp_clang.causes.property import Property
from pomp_clang.causes.run import Run


class Processes:
    """Call paths are those of all, as the cube has them that they are merged to.  The program ends
    with the last of them."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._runs = runs
        _, self._rows = of_all([run.paths for run in runs])

    def gain_of(self, kind: type[Property], path: int) -> float | None:
        """Seconds; None where it cannot be told of one that comes to the call path."""
        left = []
        for run, rows in zip(self._runs, self._rows, strict=True):
            here = np.flatnonzero(rows == path)
            gained = gain_of(run, kind, int(here[0])) if len(here) and run.courses else 0.0
            if gained is None:
                return None
            left.append(run.duration - gained)
        return max(0.0, max(run.duration for run in self._runs) - max(left))
