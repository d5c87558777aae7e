"""The parts that all of the threads' time is split into, alike in texts and on pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """`key` is its name in `Breakdown.parts`, `style` how it is drawn."""

    key: str
    name: str
    meaning: str

    @property
    def style(self) -> str:
        return self.key.lower()


PARTS = (
    Part("Work", "Work", "in parallel regions, tasks included"),
    Part("Serial", "Serial", "the initial thread outside parallel regions"),
    Part("NotRun", "Not running", "threads had work and no processor: asleep, or others ran"),
    Part("Target", "Target", "in target constructs: a device works, or data is moved"),
    Part("Sync", "Synchronization", "threads wait for a lock, a turn, a barrier, or tasks"),
    Part("Imbal", "Imbalance", "threads had unequal work and wait for the last one"),
    Part("Limpar", "Limited parallelism", "there was work for some of the threads only"),
    Part("Mgmt", "Management", "the OpenMP runtime starts teams and hands out work"),
    Part("MPI", "MPI", "in MPI calls, to communicate or waiting for other processes"),
    Part("Idle", "Idle", "threads without a team: nothing for them to do"),
)
"""In the order they are shown."""

SOMETIMES = ("NotRun", "Target", "MPI")
"""The keys of those that are shown where there is any of them."""

GOOD = ("Work", "Serial", "Target")
"""The keys of those that are no loss."""


def shown_parts(*times: Mapping[str, float]) -> tuple[Part, ...]:
    """Of some runs' times, by key."""
    return tuple(
        part
        for part in PARTS
        if part.key not in SOMETIMES or any(values[part.key] for values in times)
    )
