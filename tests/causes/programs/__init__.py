"""Programs with one inefficiency of a known size, and what they are without it.

Threads sleep where others compute, and wait for what another tells them where one has to come
first, so that what else the machine does hardly matters; what it does is in the program's own
clock, by which it says how large the inefficiency was.
"""

from __future__ import annotations

from tests.causes.programs import (
    cancelling,
    costs,
    locks,
    storms,
    tasking,
    taskloops,
    threads,
    waits,
)
from tests.causes.programs.program import Also, Program

PROGRAMS: dict[str, Program] = {
    **waits.PROGRAMS,
    **taskloops.PROGRAMS,
    **locks.PROGRAMS,
    **threads.PROGRAMS,
    **costs.PROGRAMS,
    **cancelling.PROGRAMS,
    **storms.PROGRAMS,
    **tasking.PROGRAMS,
}

__all__ = ["PROGRAMS", "Also", "Program"]
