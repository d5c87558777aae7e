"""Experiments with traces, made by hand: one second is a thousand million ticks."""

from __future__ import annotations

import struct
from pathlib import Path

from pomp_clang.trace.layout import BLOCK_HEAD, BYTE_ORDER, MAGIC, MARK_NEWEST, VERSION, Op
from tests.experiment.test_reader import END, location, paths, region, text, whole, write

PID, START = 42, 0
BLOCK = 1024

PARALLEL, LOOP, CRITICAL, CREATED, LOCK, TASK = 1, 2, 3, 4, 5, 6
"""Call paths. All except the last have their region's number; in the last, the created task
runs."""

_RECORDS = (
    text("program", "app"),
    region(PARALLEL, "parallel", 10),
    region(LOOP, "for", 20),
    region(CRITICAL, "critical", 30, sub="x"),
    region(CREATED, "task", 40),
    region(LOCK, "lock", 50),
    location(0, 0, 0, last=END),
    location(1, 1, 1, last=END),
    paths(
        1, (0, PARALLEL), (1, LOOP), (1, CRITICAL), (1, CREATED), (1, LOCK), (4, CREATED | 1 << 31)
    ),
)
PROFILE = whole(*_RECORDS, version=2)
OF_KILLED = whole(*_RECORDS, state=0, version=2)


def word(op: int, path: int, time: int, *values: int) -> list[int]:
    return [time << 24 | path << 8 | op, *(value << 8 | Op.VALUE for value in values)]


def block(
    number: int,
    words: list[int],
    place: int = 0,
    base: int = 0,
    order: str = "<",
    version: int = VERSION,
    mark: int = MARK_NEWEST,
) -> bytes:
    size = BLOCK
    while size < struct.calcsize("=" + BLOCK_HEAD) + 8 * len(words):
        size *= 2
    fields = (MAGIC, BYTE_ORDER, version, size, place, number, base, PID, START, mark)
    body = struct.pack(order + BLOCK_HEAD, *fields) + struct.pack(f"{order}{len(words)}Q", *words)
    return body.ljust(size, b"\0")


def experiment(folder: Path, *streams: list[list[int]] | bytes, profile: bytes = PROFILE) -> str:
    """Write an experiment with each location's words in one block, or with the bytes of its
    file."""
    for file in folder.glob("trace-*"):
        file.unlink()
    for place, stream in enumerate(streams):
        if not isinstance(stream, bytes):
            stream = block(0, [entry for words in stream for entry in words], place)
        (folder / f"trace-{place}.pomp").write_bytes(stream)
    return write(folder, profile)
