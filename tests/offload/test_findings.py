"""Findings at target constructs: programs with a flaw, and the same without it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.offload.build_and_run import COMMANDS, ENVIRONMENTS, OFFLOAD, built, printed, reported

OF_TARGETS = frozenset((
    "RepeatedTransfer", "RepeatedAllocation", "SmallKernels", "TargetWithoutTeams",
    "UnusedMapping", "FallbackToHost", "ImplicitTransfer", "RedundantTransfer", "RoundTrip",
    "HostWorkBetweenKernels",
))  # fmt: skip

_BUILDS = {"flawed": (), "repaired": ("-DREPAIRED",)}


def _findings(folder: Path, source: str, state: str, **variables: str) -> dict[str, dict[str, Any]]:
    """Return the findings by name, with the kind of the construct."""
    folder.mkdir()
    program = built(
        folder, "device", f"flaws/{source}", options=("-gline-tables-only", *_BUILDS[state])
    )
    report = reported(folder, program, **variables)
    kinds = {region["id"]: region["kind"] for region in report["regions"]}
    findings = {}
    for prop in report["properties"]:
        if prop["name"] in OF_TARGETS:
            (place,) = prop["places"]
            findings[prop["name"]] = {**place, "kind": kinds[place["region"]]}
    return findings


@pytest.mark.parametrize(
    ("source", "name", "kind", "text"),
    [
        (
            "repeated_transfer.c",
            "RepeatedTransfer",
            "target teams distribute parallel for",
            "The same data, 3.20 MB of a, b, is transferred again and again: 150 transfers of 240 MB",
        ),
        (
            "repeated_allocation.c",
            "RepeatedAllocation",
            "target teams distribute parallel for",
            "Memory for the same data, 1.60 MB of scratch, is allocated on the device again and again",
        ),
        (
            "implicit_transfer.c",
            "ImplicitTransfer",
            "target teams distribute parallel for",
            "No clause names table, so that 800 kB move to the device and back at each visit: ",
        ),
        ("small_kernels.c", "SmallKernels", "target", "500 kernels run for "),
        ("host_work.c", "HostWorkBetweenKernels", "target data", "The host works for "),
        (
            "unused_mapping.c",
            "UnusedMapping",
            "target data",
            "No kernel is launched within the construct, which maps 1.60 MB",
        ),
    ],
)
def test_a_flaw_is_found_and_its_repair_is_not(
    tmp_path: Path, source: str, name: str, kind: str, text: str
) -> None:
    flawed = _findings(tmp_path / "flawed", source, "flawed")
    assert flawed[name]["kind"] == kind
    assert flawed[name]["text"].startswith(text)
    assert flawed[name]["severity"] > 0
    severities = [place["severity"] for place in flawed[name]["locations"]]
    assert sum(severities) == pytest.approx(flawed[name]["severity"])
    assert name not in _findings(tmp_path / "repaired", source, "repaired")


def test_one_team_is_no_flaw_where_the_host_is_the_device(tmp_path: Path) -> None:
    report = reported(tmp_path, built(tmp_path, "device", "flaws/one_team.c"))
    kernel = report["target"]["constructs"][1]
    assert kernel["launchC"] == kernel["oneTeamC"] == 3
    assert "TargetWithoutTeams" not in [prop["name"] for prop in report["properties"]]


def test_a_gain_of_visits_on_the_host_needs_visits_on_the_device(tmp_path: Path) -> None:
    program = built(tmp_path, "device", "flaws/fallback_to_host.c")
    report = reported(tmp_path, program, **ENVIRONMENTS["fallback"])
    (prop,) = [prop for prop in report["properties"] if prop["name"] == "FallbackToHost"]
    assert prop["places"][0]["gain"] is None
    lines = printed(tmp_path / "run", "text").splitlines()
    (line,) = [line for line in lines if "Target construct on the host" in line]
    assert line.split("%")[1].split()[0] == "-"
    assert "- is a gain that is not predicted." in lines


def test_advice_names_the_clauses_to_write(tmp_path: Path) -> None:
    findings = _findings(tmp_path / "flawed", "repeated_transfer.c", "flawed")["RepeatedTransfer"]
    assert "target data map(to: a) map(tofrom: b), or target enter data" in findings["advice"]
    findings = _findings(tmp_path / "other", "repeated_allocation.c", "flawed")[
        "RepeatedAllocation"
    ]
    assert "target data map(alloc: scratch), or target enter data" in findings["advice"]


def test_a_fallback_to_the_host_is_found(tmp_path: Path) -> None:
    fallen = _findings(
        tmp_path / "host", "fallback_to_host.c", "flawed", **ENVIRONMENTS["fallback"]
    )
    assert set(fallen) == {"FallbackToHost"}
    assert fallen["FallbackToHost"]["text"].startswith("20 of 20 visits launched no kernel")
    assert "FallbackToHost" not in _findings(tmp_path / "device", "fallback_to_host.c", "flawed")


SHIM = """#!/bin/sh
# Makes an image of a device's object without linking it: no machine of the tests runs it.
while [ $# -gt 0 ]; do
  case $1 in
    -o) out=$2; shift ;;
    *.o) in=${in:-$1} ;;
  esac
  shift
done
cp "$in" "$out"
"""


def test_a_program_for_devices_that_are_not_there_runs_on_the_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    linker = tmp_path / "bin" / "ld.lld"
    linker.parent.mkdir()
    linker.write_text(SHIM)
    linker.chmod(0o755)
    monkeypatch.setenv("PATH", f"{linker.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setitem(
        COMMANDS,
        "device",
        (
            *(word for word in OFFLOAD if not word.startswith("-fopenmp-targets")),
            "-fopenmp-targets=amdgcn-amd-amdhsa", "-Xopenmp-target", "-march=gfx906", "-nogpulib",
        ),
    )  # fmt: skip
    program = built(tmp_path, "device", "flaws/fallback_to_host.c")
    report = reported(tmp_path, program)
    if report["target"]["number"]:
        pytest.skip("a device is here")
    assert report["target"]["reported"]
    (construct,) = report["target"]["constructs"]
    assert construct["hostC"] == construct["execC"] == 20
    assert "FallbackToHost" in [prop["name"] for prop in report["properties"]]


def test_an_if_clause_is_no_fallback(tmp_path: Path) -> None:
    report = reported(tmp_path, built(tmp_path, "device", "moved.c"))
    assert "FallbackToHost" not in [prop["name"] for prop in report["properties"]]


def test_contents_tell_what_is_redundant(tmp_path: Path) -> None:
    """Content of `a` goes 5 times, `b` comes back changed and goes again, `c` comes back as it went;
    then `a` is changed."""
    source, setting = "redundant_transfer.c", {"POMP_TARGET_CONTENT": "1"}
    findings = _findings(tmp_path / "flawed", source, "flawed", **setting)
    assert findings["RedundantTransfer"]["text"].startswith(
        "9 of 25 transfers carry the content of the transfer before, 7.20 MB of a, c, for "
    )
    assert findings["RoundTrip"]["text"].startswith(
        "8 of 15 transfers to the device carry what came from it before, 6.40 MB of b, c. Both "
    )
    assert "RepeatedTransfer" not in findings
    repaired = _findings(tmp_path / "repaired", source, "repaired", **setting)
    assert not {"RedundantTransfer", "RoundTrip"} & set(repaired)
    without = _findings(tmp_path / "without", source, "flawed")
    assert "RepeatedTransfer" in without
    assert not {"RedundantTransfer", "RoundTrip"} & set(without)


def test_a_kernel_may_change_what_is_sent_again(tmp_path: Path) -> None:
    report = reported(tmp_path, built(tmp_path, "device", "reset.c"), POMP_TARGET_CONTENT="1")
    (update,) = [c for c in report["target"]["constructs"] if c["toC"]]
    assert (update["toC"], update["againC"]) == (5, 4)
    for prop in report["properties"]:
        if prop["name"] == "RedundantTransfer":
            (place,) = prop["places"]
            assert "there already" not in place["text"]
            assert place["advice"].startswith("If neither kernels nor the host change it")


def test_contents_are_compared_by_address(tmp_path: Path) -> None:
    program = built(tmp_path, "device", "flaws/redundant_transfer.c")
    report = reported(tmp_path, program, POMP_TARGET_CONTENT="1")
    kernel, changed = report["target"]["constructs"]
    columns = ("againC", "againV", "roundC", "roundV", "sameC", "sameV")
    assert report["target"]["compared"]
    assert [kernel[name] for name in columns] == [4, 3200000, 8, 6400000, 5, 4000000]
    assert [changed[name] for name in columns] == [0] * 6
    sums = sorted(tuple(data[name] for name in columns[::2]) for data in kernel["data"])
    assert sums == [(0, 4, 0), (0, 4, 5), (4, 0, 0)]
