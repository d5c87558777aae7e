"""The size of a program's tasks, from which advice on tasks is chosen.

A task has to be worth its creation, and there have to be more tasks than threads. A program whose
tasks are too small never gets the advice to make them smaller, and the reverse.
"""

from __future__ import annotations

from enum import Enum

from pomp_clang.shared_dataclass import dataclass

_WORTH = 10
"""Work of a task over the cost to create it, below which the task is small."""

_SHORT = 1e-6
"""Seconds of work below which a task is small: fetching it from another thread takes about that."""

_FEW = 4
"""Tasks for each thread below which there are too few to keep all threads busy."""


class TaskSize(Enum):
    """The size of tasks: `SMALL` tasks cost too much each, `LARGE` ones are too few."""

    SMALL = "small"
    FITTING = "fitting"
    LARGE = "large"


@dataclass(frozen=True, slots=True)
class TaskEvidence:
    """The tasks of a run: their number, and seconds for each one's own work and creation.

    `work` excludes waits, creation of further tasks, and tasks that run meanwhile.
    """

    tasks: int
    work: float
    creation: float
    threads: int

    @property
    def size(self) -> TaskSize:
        if self.tasks < _FEW * self.threads:
            return TaskSize.LARGE
        if self.work < max(_SHORT, _WORTH * self.creation):
            return TaskSize.SMALL
        return TaskSize.FITTING
