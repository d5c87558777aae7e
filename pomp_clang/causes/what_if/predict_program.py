"""What-if predictions for several processes of one program that do not wait for each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pomp_clang.causes.cube.algebra import of_all
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.run.run import Run
from pomp_clang.causes.what_if.predict_gain import gain_of


class ProgramPrediction:
    """Predictions for the call paths of all processes, numbered as in their merged cube. The
    program ends with its last process."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._runs = runs
        _, self._rows = of_all([run.paths for run in runs])

    def gain_of(self, kind: type[Property], path: int, *others: int) -> float | None:
        """Return the predicted gain in seconds; None if it is unknown for a process that has the
        call path."""
        left = []
        for run, rows in zip(self._runs, self._rows, strict=True):
            is_at_path = [rows == place for place in (path, *others)]
            own_rows = np.flatnonzero(np.any(is_at_path, axis=0)).tolist()
            gained = gain_of(run, kind, *own_rows) if own_rows and run.timelines else 0.0
            if gained is None:
                return None
            left.append(run.duration - gained)
        return max(0.0, max(run.duration for run in self._runs) - max(left))
