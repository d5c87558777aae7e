"""A trace file -> its blocks, checked; mapped, and never copied whole."""

from __future__ import annotations

import mmap
import os
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.trace.layout import (
    BLOCK_HEAD,
    BYTE_ORDER,
    HEAD_WORDS,
    LARGEST_BLOCK,
    MAGIC,
    SMALLEST_BLOCK,
    VERSION,
)

Words = npt.NDArray[np.uint64]

HEAD_SIZE = struct.calcsize("=" + BLOCK_HEAD)
assert HEAD_SIZE == HEAD_WORDS * 8


@dataclass(frozen=True, slots=True)
class Head:
    """Of a block; `base` is ticks, `pid` and `start` are those of the run."""

    size: int
    location: int
    number: int
    base: int
    pid: int
    start: int


@dataclass(frozen=True, slots=True)
class Block:
    """The words of one, and what else is there behind the first that is 0."""

    base: int
    words: Words


def damaged(file: Path, what: str) -> ExperimentError:
    return ExperimentError(f"{file}: {what}: run the program again for a new trace")


def read_blocks(file: Path) -> tuple[Head, list[Block]]:
    """The head of the first block, and the blocks in their order.

    Raises ExperimentError for whatever cannot be read.
    """
    try:
        with file.open("rb") as opened:
            size = os.fstat(opened.fileno()).st_size
            mapped = mmap.mmap(opened.fileno(), size, prot=mmap.PROT_READ) if size else b""
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ExperimentError(f"{file}: cannot be read: {reason}") from None
    data = np.frombuffer(mapped, np.uint8)
    order, first = _first_head(file, data)
    words = data[: size // 8 * 8].view(f"{order}u8")
    return first, _blocks(file, order, data, words, first)


def _first_head(file: Path, data: npt.NDArray[np.uint8]) -> tuple[str, Head]:
    start = data[:HEAD_SIZE].tobytes()
    if not start:
        raise damaged(file, "is empty")
    if start[: len(MAGIC)] != MAGIC[: len(start)]:
        raise ExperimentError(f"{file}: is no trace of pomp-clang: name another experiment")
    if len(start) < HEAD_SIZE:
        raise damaged(file, "is cut off in its head")
    order = next((o for o in "<>" if struct.unpack_from(o + "I", start, 8)[0] == BYTE_ORDER), "")
    if not order:
        raise damaged(file, "is damaged (byte order mark)")
    version = struct.unpack_from(order + "I", start, 12)[0]
    if version > VERSION:
        raise ExperimentError(
            f"{file}: has trace version {version}, this pomp-clang reads up to {VERSION}: "
            "read it with a newer pomp-clang"
        )
    head = _head(order, start)
    fits = SMALLEST_BLOCK <= head.size <= LARGEST_BLOCK and not head.size % HEAD_SIZE
    if version < 1 or not fits:
        raise damaged(file, "is damaged (head)")
    return order, head


def _head(order: str, data: bytes) -> Head:
    _, _, _, size, location, number, base, pid, start, _ = struct.unpack(order + BLOCK_HEAD, data)
    return Head(size, location, number, base, pid, start)


def _blocks(
    file: Path, order: str, data: npt.NDArray[np.uint8], words: Words, first: Head
) -> list[Block]:
    """The file's first block is the newest.

    Who is killed while that is copied to the end leaves part of the copy, or all of it.
    """
    found: list[Block] = []
    offsets = range(first.size, len(data), first.size)
    for number, offset in enumerate(offsets[: first.number]):
        head = _head_at(order, data, offset)
        expected = Head(first.size, first.location, number, 0, first.pid, first.start)
        if not head or _but_base(head) != _but_base(expected):
            raise damaged(file, f"is damaged (block {number})")
        found.append(Block(head.base, words[offset // 8 : (offset + first.size) // 8][HEAD_WORDS:]))
    whole = len(data) >= first.size * (first.number + 1) or not first.number
    if not whole or len(offsets) > first.number + 1:
        raise damaged(file, f"is damaged ({len(offsets)} of {first.number} blocks before the last)")
    found.append(Block(first.base, words[HEAD_WORDS : first.size // 8]))
    return found


def _head_at(order: str, data: npt.NDArray[np.uint8], offset: int) -> Head | None:
    start = data[offset : offset + HEAD_SIZE].tobytes()
    return _head(order, start) if len(start) == HEAD_SIZE and start.startswith(MAGIC) else None


def _but_base(head: Head) -> tuple[int, ...]:
    return head.size, head.location, head.number, head.pid, head.start
