"""Launches, transfers and allocations of target constructs: exact, with the host as the device."""

from __future__ import annotations

import csv
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.offload.build_and_run import ENVIRONMENTS, OFFLOAD, built, printed, reported

MOVED = [
    # kind, execC, hostC, launchC, toC, toV, fromC, fromV, allocC, allocV, deleteC
    ("target teams distribute parallel for", 5, 0, 5, 10, 80000, 5, 40000, 10, 80000, 10),
    ("target data", 1, None, 0, 1, 8000, 0, 0, 1, 8000, 1),
    ("target", 3, 0, 3, 3, 12000, 3, 12000, 3, 12000, 3),
    ("target update", 1, None, 0, 1, 8000, 0, 0, 0, 0, 0),
    ("target update", 1, None, 0, 0, 0, 1, 80, 0, 0, 0),
    ("target enter data", 1, None, 0, 1, 8000, 0, 0, 2, 16000, 0),
    ("target exit data", 1, None, 0, 0, 0, 1, 8000, 0, 0, 2),
    ("target parallel for", 4, 0, 4, 0, 0, 4, 32000, 4, 32000, 4),
    ("target", 6, 4, 2, 2, 16000, 0, 0, 2, 16000, 2),
    ("target teams", 100, 0, 100, 100, 400000, 100, 400000, 100, 400000, 100),
    (None, 0, None, 0, 1, 8000, 1, 4000, 1, 8000, 1),
]
"""The constructs of moved.c in their order, then what is in none."""
COLUMNS = (
    "execC", "hostC", "launchC", "toC", "toV", "fromC", "fromV", "allocC", "allocV", "deleteC",
)  # fmt: skip


def _rows(report: dict[str, Any]) -> list[tuple[Any, ...]]:
    kinds = {region["id"]: region["kind"] for region in report["regions"]}
    return [
        (kinds.get(construct["region"]), *(construct[name] for name in COLUMNS))
        for construct in report["target"]["constructs"]
    ]


@pytest.mark.parametrize(
    ("pomp_options", "variables"),
    [
        ((), {}),
        (("--pomp-barriers=ompt",), {}),
        (("--pomp-barriers=explicit",), {"POMP_TRACE": "1"}),
        (("--pomp-runtime=static",), {"LD_LIBRARY_PATH": "/usr/lib/llvm-19/lib"}),
        ((), {"LD_LIBRARY_PATH": "/usr/lib/llvm-19/lib"}),
        ((), {"LIBOMP_USE_HIDDEN_HELPER_TASK": "0"}),
        ((), {"OMP_NUM_THREADS": "1"}),
    ],
)
def test_counts_and_bytes_are_exact(
    tmp_path: Path, pomp_options: tuple[str, ...], variables: dict[str, str]
) -> None:
    program = built(tmp_path, "device", "moved.c", "--pomp-strict", *pomp_options)
    report = reported(tmp_path, program, **variables)
    assert _rows(report) == MOVED
    target = report["target"]
    assert target["reported"] and target["runtime"].startswith("LLVM OMP")
    assert target["devices"][0] == {"device": 0, "kind": "generic-64bit"}
    assert target["sum"]["deviceC"] == 1
    deferred = [c["deferC"] for c in target["constructs"] if c["deferC"]]
    assert deferred == [4]
    one_team = [c["oneTeamC"] for c in target["constructs"]]
    assert one_team == [0, 0, 3, 0, 0, 0, 0, 4, 2, 0, 0]


def test_times_are_parts_of_the_construct(tmp_path: Path) -> None:
    report = reported(tmp_path, built(tmp_path, "device", "kernel.c"))
    (construct,) = report["target"]["constructs"]
    (region,) = [r for r in report["regions"] if r["kind"] == "target"]
    parts = [construct[f"{name}T"] for name in ("kernel", "map", "to", "from", "alloc", "delete")]
    assert sum(parts) == pytest.approx(construct["targetT"])
    assert construct["targetT"] + construct["deviceT"] <= region["sum"]["execT"]
    assert construct["kernelT"] > 0.9 * construct["targetT"]


def test_data_is_told_apart_by_its_address(tmp_path: Path) -> None:
    report = reported(tmp_path, built(tmp_path, "device", "moved.c"))
    constructs = report["target"]["constructs"]
    whole = {data["address"]: (data["bytes"], data["toC"], data["fromC"], data["allocC"])
             for data in constructs[0]["data"]}  # fmt: skip
    assert sorted(whole.values()) == [(8000, 5, 0, 5), (8000, 5, 5, 5)]
    (half,) = constructs[2]["data"]
    assert (half["bytes"], half["toV"], half["fromV"]) == (4000, 12000, 12000)
    assert half["address"] in whole
    assert [data["bytes"] for data in constructs[9]["data"]] == [4000, 4000]


NAMES = [
    ["a", "b"], ["a"], ["b[0:1000 / 2]"], ["a"], ["a[0:10]"], ["a", "b"], ["b"], ["b"], ["a"],
    ["own", "own"], [""],
]  # fmt: skip
"""The variables of the constructs of moved.c; a routine has none."""


@pytest.mark.parametrize(
    ("options", "pomp_options"),
    [
        (("-gline-tables-only",), ()),
        (("-g", "-O2"), ("--pomp-runtime=static",)),
        (("-g", "-flto"), ()),
        (("-O2",), ()),
    ],
)
def test_variables_have_names_where_line_tables_are(
    tmp_path: Path, options: tuple[str, ...], pomp_options: tuple[str, ...]
) -> None:
    program = built(tmp_path, "device", "moved.c", *pomp_options, options=options)
    report = reported(tmp_path, program, LD_LIBRARY_PATH="/usr/lib/llvm-19/lib")
    names = [
        sorted(data["name"] for data in construct["data"])
        for construct in report["target"]["constructs"]
    ]
    has_names = any(option.startswith("-g") for option in options)
    assert names == (NAMES if has_names else [[""] * len(own) for own in NAMES])
    assert ("-gline-tables-only" in printed(tmp_path / "run", "html")) is not has_names
    assert [row[1:] for row in _rows(report)] == [row[1:] for row in MOVED]


def test_addresses_beyond_the_first_share_a_row(tmp_path: Path) -> None:
    report = reported(tmp_path, built(tmp_path, "device", "addresses.c"))
    (construct,) = report["target"]["constructs"]
    assert construct["toC"] == construct["launchC"] == 100
    assert construct["toV"] == 100 * 800
    addresses = [data["address"] for data in construct["data"]]
    assert len(addresses) == 65 and addresses.count(None) == 1
    assert sum(data["toC"] for data in construct["data"]) == 100


def test_a_visit_without_a_launch_ran_on_the_host(tmp_path: Path) -> None:
    program = built(tmp_path, "fallback", "moved.c")
    report = reported(tmp_path, program, **ENVIRONMENTS["fallback"])
    visits = {row[:3] for row in _rows(report)}
    assert ("target teams", 100, 100) in visits and ("target parallel for", 4, 4) in visits
    assert {row[3:] for row in _rows(report) if row[0]} == {(0,) * 8}


@pytest.mark.parametrize("kind", ["clang", "gcc"])
def test_a_program_without_device_code_has_no_such_section(tmp_path: Path, kind: str) -> None:
    report = reported(tmp_path, built(tmp_path, kind, "constructs.c"))
    assert "target" not in report
    assert "missing-launches" not in [condition["name"] for condition in report["conditions"]]
    assert "Target constructs" not in printed(tmp_path / "run", "html")


def test_another_tool_leaves_launches_unknown(tmp_path: Path) -> None:
    program = built(tmp_path, "device", "moved.c")
    report = reported(tmp_path, program, OMP_TOOL_LIBRARIES="/nowhere/libtool.so")
    assert not report["target"]["reported"]
    assert "missing-launches" in [condition["name"] for condition in report["conditions"]]
    assert {construct["hostC"] for construct in report["target"]["constructs"]} == {None}


def test_a_child_counts_for_itself(tmp_path: Path) -> None:
    program = built(tmp_path, "device", "forked.c")
    report = reported(tmp_path, program)
    assert report["target"]["sum"]["launchC"] == 3
    (child,) = tmp_path.glob("run.*")
    command = ["pomp-clang", "report", str(child), "--format", "csv", "--section", "target"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = list(csv.DictReader(text.splitlines()[1:]))
    assert [row["launchC"] for row in rows if row["device"] == "SUM"] in ([], ["0"])


def test_launches_of_many_threads_are_exact(tmp_path: Path) -> None:
    """Transfers are not: the runtime counts references, and a second use of data moves nothing."""
    report = reported(tmp_path, built(tmp_path, "device", "many_threads.c"))
    constructs = report["target"]["constructs"]
    assert [c["launchC"] for c in constructs] == [c["execC"] for c in constructs]
    assert [c["launchC"] for c in constructs] == [23 * 50, 300, 300]
    assert [c["deferC"] for c in constructs] == [0, 300, 300]
    devices = {device["device"]: device["launchC"] for device in constructs[2]["devices"]}
    assert devices == {0: 75, 1: 75, 2: 75, 3: 75}
    assert report["target"]["sum"]["deviceC"] == 4
    text = subprocess.run(
        ["pomp-clang", "report", str(tmp_path / "run"), "--section", "target"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert text.count("device 3") == 1


def test_muted_constructs_are_not_booked(tmp_path: Path) -> None:
    report = reported(tmp_path, built(tmp_path, "device", "muted.c"))
    assert [row[1:4] for row in _rows(report)] == [(2, 0, 2)]


def test_every_form_of_the_report_has_the_section(tmp_path: Path) -> None:
    reported(tmp_path, built(tmp_path, "device", "moved.c"))
    run = tmp_path / "run"
    lines = printed(run, "csv").splitlines()
    start = lines.index("##BEG target constructs") + 1
    rows = list(csv.DictReader(lines[start : lines.index("##END target constructs")]))
    sums = [row for row in rows if row["device"] == "SUM"]
    assert [(row["execC"], row["toV"]) for row in sums][:2] == [("5", "80000"), ("1", "8000")]
    assert "##BEG data moved" in lines
    assert "Data moved" in printed(run, "html")


def test_the_tool_is_not_linked_into_programs_without_device_code(tmp_path: Path) -> None:
    """The archive has the tool in a file of its own."""
    names = {}
    for kind in ("device", "clang"):
        folder = tmp_path / kind
        folder.mkdir()
        program = built(folder, kind, "constructs.c", "--pomp-runtime=static")
        output = subprocess.run(["nm", str(program)], check=True, capture_output=True, text=True)
        names[kind] = " W ompt_start_tool" in output.stdout
    assert names == {"device": True, "clang": False}


def test_options_of_the_command_are_those_that_the_driver_looks_for() -> None:
    from pomp_clang.driver.runtime.link import offloads

    assert offloads(OFFLOAD)
    assert offloads(["-fopenmp", "--offload-arch=gfx90a"])
    assert not offloads(["-fopenmp", "-foffload=disable", os.devnull])


def test_copies_and_kernels_that_go_on_behind_their_calls_are_those_of_another_device(
    tmp_path: Path,
) -> None:
    """The program calls the callbacks for a device that is not the host. What a copy brings is
    compared at the construct's end, unless the construct may end before the copy."""
    program = built(tmp_path, "device", "other_device.c")
    report = reported(tmp_path, program, POMP_TARGET_CONTENT="1")
    assert {"device": 7, "kind": "nvptx64"} in report["target"]["devices"]
    _, in_time, late, kernel = report["target"]["constructs"]
    assert (in_time["fromC"], in_time["toC"], in_time["roundC"], in_time["againC"]) == (1, 1, 1, 0)
    assert (late["deferC"], late["fromC"], late["toC"], late["roundC"]) == (1, 1, 1, 0)
    assert (kernel["launchC"], kernel["oneTeamC"]) == (1, 0)
    assert 0.02 <= kernel["kernelT"] <= kernel["targetT"]
