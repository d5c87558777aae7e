"""The numbers of pomp.h that descriptors use, for writers and readers."""

from __future__ import annotations

from enum import IntFlag

POMP_VERSION = 202611
"""YYYYMM of the API: the value of _POMP, and POMP_VERSION of pomp.h."""


class DescriptorFlag(IntFlag):
    """`enum ompregdescr_flags` of pomp.h."""

    BARRIER_NOT_MEASURED = 1
    NOWAIT = 2
    FUNCTION = 4
    RELEASE = 8
    UNTIED = 16
    OMPT = 32
    ARRIVAL = 64
