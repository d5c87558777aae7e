"""What would be gained, of what was analysed: of one process, of several, or of a job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from pomp_clang.causes.experiments import Analysed
from pomp_clang.causes.processes import Processes
from pomp_clang.causes.property import Property


class Predicting(Protocol):
    """Of several processes, whose call paths are those of all."""

    def gain_of(self, kind: type[Property], path: int) -> float | None: ...


Predicts = Callable[[], Predicting]


def predicting(parts: Sequence[Analysed]) -> Predicts | None:
    """Where all have a trace, and one worker has all of them."""
    if not all(part.runs for part in parts):
        return None
    if len(parts) == 1 and parts[0].job is not None:
        if len(parts[0].runs) < len(parts[0].job.processes):
            return None
        from pomp_clang.causes.mpi.coupled import Coupled

        return partial(Coupled, parts[0].job, parts[0].runs)
    return partial(Processes, [run for part in parts for run in part.runs])
