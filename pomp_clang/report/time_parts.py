"""The parts of all threads' time, the same in all formats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TimePart:
    """`key` is its name in `Breakdown.parts`, `style` how it is drawn."""

    key: str
    name: str
    meaning: str

    @property
    def style(self) -> str:
        return self.key.lower()


PARTS = (
    TimePart("Work", "Work", "in parallel regions, tasks included"),
    TimePart("Serial", "Serial", "the initial thread outside parallel regions"),
    TimePart(
        "NotRun", "Not running", "threads had work but no processor: asleep, or oversubscription"
    ),
    TimePart(
        "Target", "Target", "in target constructs: a device or the host runs them, or data moves"
    ),
    TimePart("Sync", "Synchronization", "threads wait for a lock, a turn, a barrier, or tasks"),
    TimePart("Imbal", "Load imbalance", "threads had unequal work and wait for the last one"),
    TimePart("Limpar", "Limited parallelism", "only some of the threads had work"),
    TimePart("Mgmt", "Management", "the OpenMP runtime starts teams and distributes work"),
    TimePart("MPI", "MPI", "in MPI calls, with MPI_Init and MPI_Finalize"),
    TimePart("Idle", "Idle", "threads without a team have nothing to do"),
)
"""The parts in the order they are shown."""

SOMETIMES = ("NotRun", "Target", "MPI")
"""Keys of parts that are shown only if a run has any."""

GOOD = ("Work", "Serial", "Target")
"""Keys of parts that are no loss."""


def shown_parts(*times: Mapping[str, float]) -> tuple[TimePart, ...]:
    """Select the parts to show for the times of these runs."""
    return tuple(
        part
        for part in PARTS
        if part.key not in SOMETIMES or any(values[part.key] for values in times)
    )
