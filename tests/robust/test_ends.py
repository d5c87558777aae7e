"""However a program ends with threads in regions: as without us, and measured until then."""

from __future__ import annotations

import signal

import pytest

from tests.robust.both import Both, visits

ENDS = {
    "exit": (7, True),
    "quick_exit": (7, True),
    "_exit": (7, False),
    "abort": (-signal.SIGABRT, False),
    "throw": (-signal.SIGABRT, False),
    "segv": (-signal.SIGSEGV, False),
    "term": (-signal.SIGTERM, False),
    "kill": (-signal.SIGKILL, False),
}


@pytest.fixture
def ends(both: Both) -> Both:
    both.build("ends.cpp", "ends")
    return both


@pytest.mark.parametrize("how", ENDS)
def test_while_others_run(ends: Both, how: str) -> None:
    status, complete = ENDS[how]
    ended = ends.run("./ends", how)
    assert (ended.status, ended.out) == (status, "begun\n")
    (measured,) = ends.experiments()
    counted = visits(measured)
    assert measured.complete == complete
    assert (counted["parallel"], counted["first"]) == (2, 2)
    assert counted["busy"] >= 990
    for (_, _), row in measured.profile.items():
        assert row.execT <= measured.duration * 1.001
