"""The quantities that MPI calls are counted by."""

from __future__ import annotations

from enum import IntEnum


class CallCount(IntEnum):
    SENT = 0
    RECEIVED = 1
    COLLECTIVES = 2
    SYNCHRONIZATIONS = 3
    BYTES_SENT = 4
    BYTES_RECEIVED = 5
    BYTES_OUT = 6
    """bytes out of the process in collective operations; the next one has the bytes in"""
    BYTES_IN = 7
    BYTES_ACCESSED = 8
