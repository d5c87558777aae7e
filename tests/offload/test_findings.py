"""Findings at target constructs: programs with a flaw, and the same without it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.offload.build_and_run import COMMANDS, ENVIRONMENTS, OFFLOAD, built, reported

OF_TARGETS = frozenset((
    "RepeatedTransfer", "RepeatedAllocation", "SmallKernels", "TargetWithoutTeams",
    "UnusedMapping", "FallbackToHost", "ImplicitTransfer",
))  # fmt: skip

_BUILDS = {"flawed": (), "repaired": ("-DREPAIRED",)}


def _found(folder: Path, source: str, state: str, **variables: str) -> dict[str, dict[str, Any]]:
    """Return the findings by name, with the kind of the construct."""
    folder.mkdir()
    program = built(
        folder, "device", f"flaws/{source}", options=("-gline-tables-only", *_BUILDS[state])
    )
    report = reported(folder, program, **variables)
    kinds = {region["id"]: region["kind"] for region in report["regions"]}
    found = {}
    for prop in report["properties"]:
        if prop["name"] in OF_TARGETS:
            (place,) = prop["places"]
            found[prop["name"]] = {**place, "kind": kinds[place["region"]]}
    return found


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
        ("one_team.c", "TargetWithoutTeams", "target parallel for", "One team runs each of 3 ker"),
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
    flawed = _found(tmp_path / "flawed", source, "flawed")
    assert flawed[name]["kind"] == kind
    assert flawed[name]["text"].startswith(text)
    assert flawed[name]["severity"] > 0
    severities = [place["severity"] for place in flawed[name]["locations"]]
    assert sum(severities) == pytest.approx(flawed[name]["severity"])
    assert name not in _found(tmp_path / "repaired", source, "repaired")


def test_advice_names_the_clauses_to_write(tmp_path: Path) -> None:
    found = _found(tmp_path / "flawed", "repeated_transfer.c", "flawed")["RepeatedTransfer"]
    assert "target data map(to: a) map(tofrom: b), or target enter data" in found["advice"]
    found = _found(tmp_path / "other", "repeated_allocation.c", "flawed")["RepeatedAllocation"]
    assert "target data map(alloc: scratch), or target enter data" in found["advice"]


def test_a_fallback_to_the_host_is_found(tmp_path: Path) -> None:
    fallen = _found(tmp_path / "host", "fallback_to_host.c", "flawed", **ENVIRONMENTS["fallback"])
    assert set(fallen) == {"FallbackToHost"}
    assert fallen["FallbackToHost"]["text"].startswith("20 of 20 visits launched no kernel")
    assert "FallbackToHost" not in _found(tmp_path / "device", "fallback_to_host.c", "flawed")


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
