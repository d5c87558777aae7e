"""Properties as JSON: by name, with all places."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pomp_clang.report.json.profile import properties
from pomp_clang.report.model import profile_report
from pomp_clang.report.text.properties import serial_places
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


def test_serial_time_is_named_by_the_region_that_follows() -> None:
    """The longest part comes first; what no region follows is the rest."""
    experiment = ocean()
    after = {("R00001", 0): 0.25, ("R00003", 0): 0.0625}
    profile = {
        key: replace(measured, serialT=after.get(key, 0.0))
        for key, measured in experiment.profile.items()
    }
    report = profile_report(replace(experiment, profile=profile, callpaths=()))
    (idle,) = [
        e for e in properties(report.findings, report.analysis) if e["name"] == "IdleThreads"
    ]
    serial = idle["places"][0]["serial"]
    outside = report.analysis.duration - report.analysis.coverage
    assert [part["before"] for part in serial] == ["R00001", None, "R00003"]
    assert [part["seconds"] for part in serial] == [0.25, pytest.approx(outside - 0.3125), 0.0625]
    (finding,) = [f for f in report.findings if f.name == "IdleThreads"]
    (sentence,) = serial_places(finding, {})
    assert sentence.startswith("The longest parts: 250 ms before ")
    assert "188 ms after the last parallel region" in sentence


def test_serial_times_that_overlap_are_not_named() -> None:
    """Two threads of the program's own fork teams at once."""
    experiment = ocean()
    profile = {key: replace(m, serialT=float(key[1] < 2)) for key, m in experiment.profile.items()}
    report = profile_report(replace(experiment, profile=profile, callpaths=()))
    assert report.analysis.serial == ()
    assert all("serial" not in e["places"][0] for e in properties(report.findings, report.analysis))


def test_the_program_is_no_place_in_the_source() -> None:
    experiment = ocean()
    report = profile_report(experiment)
    (idle,) = [e for e in properties(report.findings, report.analysis) if e["overhead"] is None]
    (place,) = idle["places"]
    assert (place["region"], place["file"], place["line"]) == (None, None, None)
    assert place["locations"] == [{"process": 0, "thread": t, "severity": 0.5} for t in (1, 2, 3)]
