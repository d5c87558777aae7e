"""The layout of a location's trace: runtime/src/trace/trace_format.h and
docs/reference/trace-format.md in Python.

The trace of an experiment is found by the names of its files, without reading it.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Sequence
from enum import IntEnum, IntFlag
from pathlib import Path

from pomp_clang.experiment.layout import Column
from pomp_clang.trace.mpi import layout as mpi

FILE_NAME = "trace-{}.pomp"
"""The name of a location's file, by its number."""

FILE_GLOB = FILE_NAME.format("*")

MAGIC = b"POMPTRC\n"
VERSION = 4

NEWEST_FIRST = 3
"""The last version whose files have the newest block first, and the others in their order."""
BYTE_ORDER = 0x01020304

BLOCK_HEAD = "8s4IQQqQQ"
"""magic, byte order, version, block size, location, number, base, pid, start, mark"""

MARK_NEWEST = 1
"""The mark of the newest block at the program's end."""

HEAD_WORDS = 8
"""The size of a block's head in words of 64 bits."""

SMALLEST_BLOCK = 1 << 10
LARGEST_BLOCK = 1 << 24

TICK_SHIFT = 24
PATH_SHIFT = 8


class Op(IntEnum):
    NONE = 0
    LEAVE = 1
    BEGIN = 2
    COUNT_BODY = 3
    JOINED = 4
    DEPARTS = 5
    DEPARTED = 6
    WAITS = 7
    ASSEMBLED = 8
    HOLDS = 9
    HOLDS_MORE = 10
    RELEASES = 11
    HANDS_OVER = 12
    VISITS = 13
    RELEASED = 14
    ENDS = 15
    PHASE = 0x10
    COUNTED = 0x20
    PHASE_AGAIN = 0x30
    TELLS = 0x40
    ENTER = 0x80
    VALUE = 0xFF


KINDS = 16
"""The room for kinds of frames in operations from `ENTER` on."""

PHASES = 16
"""Operations from `PHASE`, `COUNTED` and `PHASE_AGAIN` on have the phase in their last bits."""


class Type(IntEnum):
    """The type of a variable's value, in a TELLS."""

    SIGNED = 0
    UNSIGNED = 1
    REAL = 2


def decoded(type_: Type, words: Sequence[int]) -> int | float:
    """Return a variable's value from the values of its one or two words."""
    first, second = words[0], words[1] & 0xFF if len(words) > 1 else None
    if type_ == Type.REAL:
        bits = first << 8 | (second or 0)
        return float(struct.unpack("=d", bits.to_bytes(8, sys.byteorder))[0])
    if type_ == Type.SIGNED:
        size = 56 if second is None else 64
        bits = first | (second or 0) << 56
        return bits - (bits >> (size - 1) << size)
    return first | (second or 0) << 56


class Kind(IntEnum):
    """The kind of a frame, in an ENTER shifted by 3."""

    SIMPLE = 1
    USER = 2
    WORK = 3
    SYNC = 4
    BARRIER = 5
    FORK = 6
    PARALLEL = 7
    WAIT = 8
    CREATE = 9
    CANCEL = 10
    TASK = 11


KIND_SHIFT = 3


class Enter(IntFlag):
    """The last bits of an ENTER."""

    RESUMES = 1
    SPECIAL = 2
    SWITCHES = 4


FIRST_PHASE = {
    Kind.SYNC: Column.ENTER_T,
    Kind.PARALLEL: Column.BODY_T,
    Kind.CREATE: Column.CREATE_T,
}
"""The phase that a frame begins in. WORK begins in bodyT if its ENTER is special, other kinds in none."""

VALUES: dict[int, int] = {
    Op.JOINED: 1,
    Op.DEPARTED: 1,
    Op.ASSEMBLED: 1,
    Op.HOLDS: 1,
    Op.HOLDS_MORE: 1,
    Op.RELEASES: 1,
    Op.HANDS_OVER: 1,
    **{Op.TELLS | of: 1 for of in Type},
    **{op: count for op, count in mpi.values() if count},
}
"""The least number of values of operations other than ENTER; those not listed have none."""


def enter(kind: Kind, flags: int = 0) -> int:
    """Return the operation that opens a frame."""
    return Op.ENTER | kind << KIND_SHIFT | flags


def is_value(op: int) -> bool:
    """Return True for an operation that records a variable's value."""
    return Op.TELLS <= op < Op.TELLS + len(Type)


def known_operations() -> list[int]:
    """List every operation that a word may have."""
    plain = [op for op in Op if Op.NONE < op <= Op.ENDS]
    phased = [
        op | phase for op in (Op.PHASE, Op.COUNTED, Op.PHASE_AGAIN) for phase in range(PHASES)
    ]
    entering = [enter(kind, how) for kind in Kind for how in range(8)]
    telling = [Op.TELLS | of for of in Type]
    calling = [op for op, _ in mpi.values()]
    return [*map(int, plain), *phased, *telling, *calling, *entering]


def folder_of(experiment: str) -> Path:
    """Return the directory of an experiment, which may be named by its profile's file."""
    path = Path(experiment)
    return path if path.is_dir() else path.parent


def is_recorded(experiment: str) -> bool:
    """Return True if the experiment has a trace of pomp-clang."""
    return any(folder_of(experiment).glob(FILE_GLOB))


def recorded_bytes(directory: str) -> int:
    """Return the size of the trace files of an experiment; 0 for a trace of another tool."""
    return sum(file.stat().st_size for file in folder_of(directory).glob(FILE_GLOB))
