"""Between `inst off` and `inst on` nothing counts, in teams and tasks of any depth."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pomp_clang.experiment.model import Experiment
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


def _paths(measured: Experiment) -> dict[tuple[str, ...], int]:
    """Return the number of visits of each call path, keyed by the names of its regions."""
    names = {region.id: region.sub_name or region.kind for region in measured.regions}
    paths = {path.id: path for path in measured.callpaths}

    def named(ident: str) -> tuple[str, ...]:
        path = paths[ident]
        return (*(named(path.above) if path.above else ()), names[path.region])

    measured_paths = measured.callpath_profile.items()
    return {named(path): row.execC for (path, _), row in measured_paths if row.execC}


@pytest.mark.parametrize("inline", ["on", "off"])
def test_visits_that_begin_or_end_meanwhile(both: Both, inline: str) -> None:
    builds = replace(both, options=(f"--pomp-inline={inline}",))
    builds.build("visits.c", "visits", "-Wno-unknown-pragmas")
    assert builds.run("./visits").out == "70\n"
    (measured,) = builds.experiments()
    guarded = builds.compiler == "gcc" and inline == "on"
    assert _paths(measured) == {
        ("outer",): 10,
        ("outer", "within") if guarded else ("within",): 10,
        ("outer", "behind"): 10,
        ("atomic",): 10,
        ("seen",): 10,
        ("parallel",): 10,
        ("parallel", "master"): 10,
        ("parallel", "last"): 10,
    }
    assert measured.complete
    assert not sum(location.dropped for location in measured.locations)
