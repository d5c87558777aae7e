"""Counters and profiles in between are on: the program behaves as without us all the same."""

from __future__ import annotations

import pytest

from tests.robust.both import Both, visits

ON = {"POMP_METRICS": "page-faults,task-clock", "POMP_SNAPSHOT_INTERVAL": "0.002"}


@pytest.mark.parametrize("how", ["exec", "vfork", "spawn", "daemon"])
def test_processes(both: Both, how: str) -> None:
    both.build("processes.c", "processes")
    both.run("./processes", how, POMP_EXPERIMENT_DIR="", **ON)


def test_hundreds_of_children(both: Both) -> None:
    both.build("processes.c", "processes")
    both.run("./processes", "forks", "300", "1", **ON)
    parent, *children = both.experiments()
    assert visits(parent) == {"parallel": 2, "counting": 2}
    assert len(children) == 300
    assert all(child.counters is not None and not child.snapshots for child in children)


@pytest.mark.parametrize("how", ["exit", "quick_exit", "_exit", "abort", "throw", "term", "kill"])
def test_ends(both: Both, how: str) -> None:
    both.build("ends.cpp", "ends")
    both.run("./ends", how, **ON)
    (measured,) = both.experiments()
    assert visits(measured)["busy"] >= 990


@pytest.mark.parametrize("what", ["short", "teams", "left"])
def test_threads(both: Both, what: str) -> None:
    """The run needs as many file descriptors as threads are alive, not as were ever created."""
    both.build("threads.cpp", "threads")
    limited = f"ulimit -n 64; exec ./threads {what}"
    both.run("sh", "-c", limited, **ON)
    (measured,) = both.experiments()
    assert measured.complete
    assert measured.counters is not None
    assert visits(measured)["visited"] == (2003 if what == "short" else 3)


def test_a_plugin_of_a_program_that_knows_nothing(both: Both) -> None:
    both.build("plugin.c", "one.so", "-shared", "-fPIC")
    both.build("host.c", "host", "-ldl", "-lpthread", plain=True)
    both.run("./host", "100", "./one.so", **ON)
    (measured,) = both.experiments()
    assert visits(measured) == {"plugged": 1200}
