"""Roles of OpenMP directives in OTF2, and the names of their parts."""

from __future__ import annotations

from pomp_clang.otf2.layout import RegionRole

ROLES = {
    "function": RegionRole.FUNCTION,
    "region": RegionRole.CODE,
    "lock": RegionRole.WRAPPER,
    "parallel": RegionRole.PARALLEL,
    "taskloop": RegionRole.TASK_WAIT,
    "task": RegionRole.TASK,
    "taskwait": RegionRole.TASK_WAIT,
    "taskgroup": RegionRole.TASK_WAIT,
    "sections": RegionRole.SECTIONS,
    "single": RegionRole.SINGLE,
    "workshare": RegionRole.WORKSHARE,
    "critical": RegionRole.CRITICAL,
    "ordered": RegionRole.ORDERED,
    "master": RegionRole.MASTER,
    "masked": RegionRole.MASTER,
    "atomic": RegionRole.ATOMIC,
    "barrier": RegionRole.BARRIER,
    "flush": RegionRole.FLUSH,
    "for": RegionRole.LOOP,
    "do": RegionRole.LOOP,
    "loop": RegionRole.LOOP,
    "simd": RegionRole.LOOP,
    "distribute": RegionRole.LOOP,
}
"""The role of a directive is the one of its first word listed here; without such a word it is code."""

BLOCKS = {
    "sections": RegionRole.SECTION,
    "single": RegionRole.SINGLE_SBLOCK,
    "critical": RegionRole.CRITICAL_SBLOCK,
    "ordered": RegionRole.ORDERED_SBLOCK,
}

IMPLICIT_BARRIER = "implicit barrier"
MAKING = "create tasks"
WAIT = "wait for tasks"
TASK = "task"
"""The names of a construct's parts."""
