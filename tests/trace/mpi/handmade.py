"""Jobs made by hand: a process is a list of calls, each with what it did; a tick is a nanosecond."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path

from pomp_clang.mpi.variants import NAMES, NUMBERS
from pomp_clang.trace.layout import BLOCK_HEAD, BYTE_ORDER, MAGIC, MARK_NEWEST, VERSION
from pomp_clang.trace.mpi.layout import (
    MPI,
    TAG_BITS,
    CallEvent,
    OperationRole,
    OperationState,
    operation,
)
from tests.experiment.test_reader import END, location, text, whole, write
from tests.trace.handmade import PID, START, word

WORLD = 1
_LOW = (1 << TAG_BITS) - 1


@dataclass
class Process:
    """`behind` is what its clock is behind the true one, ns."""

    rank: int
    size: int
    lag: int = 0
    texts: dict[str, str] = field(default_factory=dict)
    words: list[list[int]] = field(default_factory=list)
    moment: int = 0

    def call(self, name: str, enter: int, leave: int, *operations: list[int]) -> None:
        """Add a call at true times."""
        enter, leave = enter - self.lag, leave - self.lag
        assert self.moment <= enter <= leave
        self.words.append(word(MPI + CallEvent.ENTERS, 0, enter, NUMBERS[f"MPI_{name}"]))
        self.words += [[enter << 24 | operation[0], *operation[1:]] for operation in operations]
        self.words.append(word(MPI + CallEvent.LEAVES, 0, leave))
        self.moment = leave

    def send(self, enter: int, leave: int, receiver: int, tag: int = 0) -> None:
        self.call("Send", enter, leave, done(OperationRole.SENDS, tag, receiver, 1, 8))

    def receive(self, enter: int, leave: int, sender: int, tag: int = 0) -> None:
        self.call("Recv", enter, leave, done(OperationRole.RECEIVES, tag, sender, 1 << 8, 8))

    def barrier(self, enter: int, leave: int) -> None:
        self.call("Barrier", enter, leave, done(OperationRole.GATHERS, -1, -1, 1 << 16, 0, 0))

    def write(self, job: Path) -> None:
        folder = job / f"rank-{self.rank}"
        folder.mkdir(parents=True, exist_ok=True)
        texts = {
            "mpi_rank": str(self.rank),
            "mpi_size": str(self.size),
            "mpi_functions": " ".join(NAMES),
            **self.texts,
        }
        result = [text(key, value) for key, value in texts.items()]
        profile = whole(text("program", "app"), *result, location(0, 0, 0, last=END), version=2)
        (folder / "trace-0.pomp").write_bytes(one_block([n for row in self.words for n in row]))
        write(folder, profile)


def one_block(words: list[int]) -> bytes:
    """Return a whole file of location 0."""
    size = 1024 * (2 + len(words) // 128)
    fields = (MAGIC, BYTE_ORDER, VERSION, size, 0, 0, 0, PID, START, MARK_NEWEST)
    data = struct.pack("<" + BLOCK_HEAD, *fields) + struct.pack(f"<{len(words)}Q", *words)
    return data.ljust(size, b"\0")


def done(role: OperationRole, tag: int, rank: int, counts: int, *amounts: int) -> list[int]:
    """Return a whole operation in the world; its time is the call's."""
    values = WORLD << TAG_BITS | tag & _LOW, counts << TAG_BITS | rank & _LOW
    return word(operation(role, OperationState.WHOLE), 0, 0, *values, *amounts)
