"""Programs with one inefficiency of a known size, and the same programs without it.

Threads sleep instead of computing, and a thread that has to come later waits for a signal. So other
load on the machine hardly matters. The program measures the size of the inefficiency with its own
clock.
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
