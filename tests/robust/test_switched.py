"""Between `inst off` and `inst on` nothing counts, in teams and tasks of any depth."""

from __future__ import annotations

from tests.robust.both import Both, visits


def test_tasks_and_nested_teams(both: Both) -> None:
    both.build("switched.c", "switched", "-Wno-unknown-pragmas")
    assert both.run("./switched").out == "41\n"
    (measured,) = both.experiments()
    counted = visits(measured)
    assert (counted["task"], counted["inside"], counted["taskwait"]) == (15, 15, 2)
    assert (counted["parallel"], counted["teams"]) == (2 + 2 * 2, 2 * 2)
    assert measured.complete
    assert not sum(location.dropped for location in measured.locations)
