"""What the visits of a region are in a trace, in words of 8 bytes."""

from __future__ import annotations

from pomp_clang.analysis.perturbation import events_inside
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.openmp.columns import TASKLOOPS, is_parallel
from pomp_clang.openmp.directives import MEASURED

WORD = 8

VISIT = 2
"""Enter and leave."""

FORK, MEMBER, COMBINED = 2, 7, 2
"""Of a parallel region: what it has once, at each thread, and there for a construct that it is
combined with.  An event with a value takes two words or three."""

CREATED, RAN = 2, 4
"""A task: where it is made, and where it runs."""

MAKING = 2
"""A taskloop: its tasks are made, and waited for; with gcc that is one."""

LOCKED = 7
"""A lock's setting and unsetting, each with which it is."""

_ROWS = {directive.words: directive for directive in MEASURED}


def recorded(profile: RegionProfile) -> int:
    """Bytes of all visits of all threads."""
    kind, region = profile.region.kind, profile.region
    each = [row.measured for row in profile.rows]
    visits = sum(m.execC for m in each)
    if is_parallel(kind):
        words = max((m.execC for m in each), default=0) * FORK
        words += visits * (MEMBER + COMBINED * (" " in kind))
        words += sum(m.bodyC for m in each) * VISIT if "sections" in kind else 0
        words += sum(m.bodyC for m in each) * RAN if "taskloop" in kind else 0
    elif kind == "task":
        words = sum(m.createC * CREATED + m.execC * RAN for m in each)
    elif kind in TASKLOOPS:
        words = visits * (VISIT + MAKING) + sum(m.bodyC for m in each) * RAN
    elif kind == "lock":
        words = visits * LOCKED
    else:
        row = _ROWS.get(kind)
        words = visits * VISIT + (sum(events_inside(row, region, m) for m in each) if row else 0)
    return words * WORD
