"""Properties as JSON: by name, with all places."""

from __future__ import annotations

import pytest

from pomp_clang.report.json.profile import properties
from pomp_clang.report.model import profile_report
from tests.handmade import ocean


def test_places_are_collected_by_property_and_ranked() -> None:
    experiment = ocean()
    report = profile_report(experiment)
    entries = properties(report.findings, report.analysis)
    management = entries[3]
    assert [e["name"] for e in entries[:4]] == [
        "ImbalanceInParallelRegion",
        "IdleThreads",
        "ImbalanceInParallelLoop",
        "ManagementOverhead",
    ]
    assert [e["overhead"] for e in entries[:4]] == ["Imbal", None, "Imbal", "Mgmt"]
    assert [p["region"] for p in management["places"]] == ["R00001", "R00003", "R00005", "R00007"]
    assert management["severity"] == pytest.approx(0.77)
    assert management["share"] == pytest.approx(0.077)


def test_the_program_is_no_place_in_the_source() -> None:
    experiment = ocean()
    report = profile_report(experiment)
    (idle,) = [e for e in properties(report.findings, report.analysis) if e["overhead"] is None]
    (place,) = idle["places"]
    assert (place["region"], place["file"], place["line"]) == (None, None, None)
    assert place["locations"] == [{"process": 0, "thread": t, "severity": 0.5} for t in (1, 2, 3)]
