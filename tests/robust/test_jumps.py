"""Regions left by longjmp, and events in signal handlers."""

from __future__ import annotations

import pytest

from tests.robust.both import Both, visits


@pytest.fixture
def jumps(both: Both) -> Both:
    both.build("jumps.c", "jumps", "-Wno-unknown-pragmas")
    return both


def test_regions_left_by_longjmp(jumps: Both) -> None:
    assert jumps.run("./jumps", "jumps").out == "1000\n"
    (measured,) = jumps.experiments()
    assert visits(measured) == {"around": 1000, "deep": 5000, "atomic": 1000}
    regions = {region.sub_name or region.kind: region.id for region in measured.regions}
    around, deep = (measured.profile[regions[name], 0] for name in ("around", "deep"))
    assert deep.execT <= around.execT <= measured.duration


def test_regions_in_signal_handlers(jumps: Both) -> None:
    assert jumps.run("./jumps", "handler").out == "1\n"
    (measured,) = jumps.experiments()
    counted = visits(measured)
    assert counted["handler"] >= 200
    assert counted["parallel"] == counted["atomic"]
    assert not sum(location.dropped for location in measured.locations)
