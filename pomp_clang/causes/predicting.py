"""What would be gained, of what was analysed: of one process, of several, or of a job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from pomp_clang.causes.experiments import Analysed
from pomp_clang.causes.findings import Finding
from pomp_clang.causes.processes import Processes
from pomp_clang.causes.property import Property
from pomp_clang.causes.run import Progress
from pomp_clang.trace.mpi.workers import ALONE, Workers


class Predicting(Protocol):
    """Of several processes, whose call paths are those of all."""

    def gain_of(self, kind: type[Property], path: int) -> float | None: ...


Predicts = Callable[[], Predicting]


def predicting(parts: Sequence[Analysed], workers: Workers = ALONE) -> Predicts | None:
    """Where all have a trace."""
    if not all(part.runs for part in parts):
        return None
    if len(parts) == 1 and parts[0].job is not None:
        from pomp_clang.causes.mpi.coupled import Coupled

        numbers = workers.mine(len(parts[0].job.processes))
        runs = dict(zip(numbers, parts[0].runs, strict=True))
        return partial(Coupled, parts[0].job, runs, workers)
    return partial(Processes, [run for part in parts for run in part.runs])


class Gains:
    """The first worker asks, and each computes what it has a share in."""

    def __init__(
        self, predicts: Predicts, kinds: Sequence[type[Property]], workers: Workers = ALONE
    ) -> None:
        self._predicts, self._kinds, self._workers = predicts, kinds, workers
        self._processes: Predicting | None = None

    def of(self, found: Finding, part: float, progress: Progress) -> float | None:
        progress(f"predicting {self._kinds[found.metric].name}", part)
        return self._compute(*self._workers.told((found.metric, found.path)))

    def end(self) -> None:
        """The first has no more to ask."""
        self._workers.told(None)

    def answer(self) -> None:
        """The others, until the first has no more to ask."""
        while (asked := self._workers.told(None)) is not None:
            self._compute(*asked)

    def _compute(self, metric: int, path: int) -> float | None:
        if self._processes is None:
            self._processes = self._predicts()
        return self._processes.gain_of(self._kinds[metric], path)
