"""Events of a team as they are, and any others."""

from __future__ import annotations

from hypothesis import strategies as st

from pomp_clang.experiment.layout import Column
from pomp_clang.trace.layout import VALUES, Enter, Kind, Op, enter, known_operations
from tests.trace.handmade import CREATED, CRITICAL, LOOP, PARALLEL, TASK, word

TEAM = 1 << 40 | 1

MASTER = [
    word(enter(Kind.FORK), PARALLEL, 1000, TEAM),
    word(Op.BEGIN, PARALLEL, 1010),
    word(enter(Kind.WORK, Enter.SPECIAL), LOOP, 1020),
    word(enter(Kind.SYNC), CRITICAL, 1030),
    word(Op.PHASE | Column.BODY_T, CRITICAL, 1034),
    word(Op.PHASE | Column.EXIT_T, CRITICAL, 1038),
    word(Op.LEAVE, CRITICAL, 1039),
    word(Op.PHASE | Column.EXIT_BAR_T, LOOP, 1050),
    word(Op.PHASE, LOOP, 1080),
    word(Op.LEAVE, LOOP, 1080),
    word(enter(Kind.BARRIER), CREATED, 1082),
    word(Op.LEAVE, CREATED, 1084),
    word(Op.PHASE | Column.SHUTDWN_T, PARALLEL, 1090),
    word(Op.LEAVE, PARALLEL, 1100),
    word(Op.JOINED, 0, 1100, TEAM),
]

WORKER = [
    word(enter(Kind.PARALLEL), PARALLEL, 1015, TEAM, 15),
    word(Op.DEPARTS, PARALLEL, 1092),
    word(Op.LEAVE, PARALLEL, 1092),
    word(Op.WAITS, 0, 1093),
    word(enter(Kind.TASK, Enter.SPECIAL), TASK, 1094, 2),
    word(Op.LEAVE, TASK, 1096),
    word(Op.DEPARTED, 0, 1100, TEAM),
]

_LIKELY = [
    *(word[0] & 255 for word in MASTER + WORKER),
    *(Op.TELLS, Op.LEAVE, Op.HOLDS, Op.HOLDS_MORE, Op.RELEASES, Op.ENDS, Op.RELEASED),
]
_NEEDS = {int(op): count for op, count in VALUES.items()}
_EVENT = st.tuples(
    st.one_of(st.sampled_from(_LIKELY), st.sampled_from(known_operations())),
    st.integers(0, TASK),
    st.integers(0, 9),
    st.lists(st.one_of(st.integers(0, 3), st.integers(0, (1 << 56) - 1)), max_size=3),
)


def _words(events: list[tuple[int, int, int, list[int]]]) -> list[int]:
    words: list[int] = []
    time = 0
    for op, path, duration, values in events:
        time += duration
        words += word(op, path, time, *values, *[1] * _NEEDS.get(op, 0))
    return words


WORDS = st.lists(_EVENT, max_size=20).map(_words)
"""Words of a location's block."""
