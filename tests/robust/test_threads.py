"""Threads that OpenMP did not make, before main, after it, and at once with it."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.robust.both import Both, visits

AROUND = Counter({"visited": 3, "parallel": 6})
"""A static object's constructor and destructor, and an atexit handler."""


@pytest.fixture
def threads(both: Both) -> Both:
    both.build("threads.cpp", "threads")
    return both


@pytest.mark.parametrize(
    ("what", "more"),
    [
        ("", {}),
        ("short", {"visited": 2000}),
        ("detached", {"visited": 1000}),
        ("teams", {"parallel": 400}),
        ("left", {"never_left": 1}),
    ],
)
def test_threads(threads: Both, what: str, more: dict[str, int]) -> None:
    ended = threads.run("./threads", what)
    assert ended.out.startswith("before main: 2\nat exit: 2\nafter main: 2, ")
    (measured,) = threads.experiments()
    assert visits(measured) == AROUND + Counter(more)
    assert measured.complete
    assert not sum(location.dropped for location in measured.locations)


def test_thousands_of_threads_take_up_few_locations(threads: Both) -> None:
    """Memory is bounded: a thread that begins takes over the place of one that has ended."""
    threads.run("./threads", "short")
    (measured,) = threads.experiments()
    assert len(measured.locations) <= 20
