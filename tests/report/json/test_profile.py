"""The JSON contract."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from pomp_clang.experiment.model import Experiment
from pomp_clang.report.json.profile import document, render
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from tests.handmade import experiments, figure_1, ocean
from tests.report.html.test_callpaths import with_tasks
from tests.report.snapshots import check


def test_the_whole_document() -> None:
    check("figure_1.json", render(profile_report(figure_1()), Options()))


def test_the_regions_of_the_contract() -> None:
    first, second = json.loads(render(profile_report(figure_1()), Options()))["regions"]
    assert (first["id"], first["kind"]) == ("R00001", "parallel")
    places = ("begin_line1", "begin_lineN", "end_line1", "end_lineN")
    assert [second[key] for key in places] == [20, 20, 23, 23]
    thread = {"tid": 3, "execT": 4.0, "execC": 1, "bodyT": 1.0, "enterT": 3.0, "exitT": 0.0}
    assert second["threads"][3] == thread
    assert sum(t["enterT"] for t in second["threads"]) == 6.0


def test_a_region_that_never_ran_is_listed_with_nothing() -> None:
    last = document(profile_report(ocean()), Options())["regions"][-1]
    assert last["sum"]["execC"] == 0
    assert [thread["execC"] for thread in last["threads"]] == [0, 0, 0, 0]


def test_overheads_of_regions_of_none_and_of_all() -> None:
    overheads = document(profile_report(ocean()), Options())["overheads"]
    assert [o["scope"] for o in overheads] == ["region", "region", "orphaned", "program"]
    assert overheads[0]["region"] == "R00001"
    assert overheads[0]["share_of_region"] == pytest.approx(4.065 / 8)
    assert overheads[2]["syncT"] == pytest.approx(0.004)
    assert overheads[3]["totalT"] == 10.0
    assert overheads[3]["share_of_program"] == pytest.approx(0.4109)


def test_call_paths_have_their_columns_of_each_thread() -> None:
    single = document(profile_report(with_tasks()), Options())["callpaths"][1]
    assert single["columns"][2:4] == ["singleT/I", "singleT/E"]
    first, second = single["threads"]
    assert (first["execT"], first["exclusiveT"]) == (3.0, 2.5)
    assert (second["execC"], second["execT"], second["inclusiveT"]) == (0, 0.0, 2.0)
    assert single["sum"]["execT"] == 3.0


def test_order_and_top_are_those_asked_for() -> None:
    ids = [r["id"] for r in document(profile_report(ocean()), Options())["regions"]]
    assert ids == sorted(ids)
    top = document(profile_report(ocean()), Options("count", 2))["regions"]
    assert [r["id"] for r in top] == ["R00008", "R00005"]


def test_a_time_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        render(profile_report(replace(ocean(), duration=float("nan"))), Options())


def test_every_key_is_documented() -> None:
    docs = Path(__file__).parents[3] / "docs" / "reference" / "json-report.md"
    text = docs.read_text(encoding="utf-8")

    def keys(value: object) -> set[str]:
        if isinstance(value, dict):
            return set(value) | set().union(*map(keys, value.values()))
        return set().union(*map(keys, value)) if isinstance(value, list) else set()

    actual = keys(document(profile_report(ocean()), Options())) | keys(
        document(profile_report(with_tasks()), Options())
    )
    missing = [key for key in actual if f"`{key}`" not in text]
    assert not missing, f"docs/reference/json-report.md has no {missing}"


@given(experiments())
def test_round_trip(run: Experiment) -> None:
    read = json.loads(render(profile_report(run), Options()))
    assert read == document(profile_report(run), Options())
    assert read["duration"] == run.duration
    for region, row in zip(run.regions, read["regions"], strict=True):
        assert (row["file"], row["sub_name"]) == (region.file, region.sub_name)
        for thread in row["threads"]:
            measured = run.profile.get((region.id, thread["tid"]))
            assert thread["execT"] == (measured.execT if measured else 0)
            assert thread["execC"] == (measured.execC if measured else 0)
        for name in row["columns"]:
            assert row["sum"][name] == sum(thread[name] for thread in row["threads"])
