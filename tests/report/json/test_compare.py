"""The JSON of a comparison."""

from __future__ import annotations

import json
from pathlib import Path

from pomp_clang.analysis.comparison import compare
from pomp_clang.analysis.comparison.scaling import scale
from pomp_clang.analysis.run import analyze_run
from pomp_clang.report.cause_changes import CauseChangeRow, CauseChanges
from pomp_clang.report.json import comparison as diff_json
from pomp_clang.report.json import comparison as scale_json
from tests.analysis.comparison.test_comparison import after, before
from tests.analysis.comparison.test_scaling import run_with


def test_a_region_that_moved_one_that_is_new_and_one_that_is_gone() -> None:
    a, b = analyze_run(before()), analyze_run(after())
    read = json.loads(diff_json.render_diff(a, b, compare(a, b)))
    assert (read["format"], read["a"]["directory"], read["b"]["directory"]) == (
        1,
        "pomp-app-1",
        "pomp-app-2",
    )
    assert read["a"]["parts"]["sync"] == {"time": 1.5, "share": 0.1875}
    removed, moved, _, new = read["regions"]
    assert (removed["kind"], removed["state"], removed["b"]) == ("critical", "gone", None)
    assert removed["delta"] == {"execC": -400, "execT": -2.0, "lostT": -1.0}
    assert (moved["state"], moved["moved"]) == ("both", True)
    assert moved["a"] == {
        "id": "R1", "file": "main.c", "begin_line1": 10, "end_lineN": 20,
        "execC": 40, "execT": 4.0, "lostT": 1.0,
    }  # fmt: skip
    assert moved["b"]["begin_line1"] == 15
    assert new["kind"] == "atomic"
    first, second = read["properties"][:2]
    assert (first["name"], first["b"]) == ("CriticalSectionContention", None)
    assert first["a"] == {"region": "R2", "severity": 1.0, "share": 0.125}
    assert (second["name"], second["a"]["region"]) == ("IdleThreads", None)


def test_every_key_of_both_is_documented() -> None:
    text = (Path(__file__).parents[3] / "docs" / "reference" / "json-diff.md").read_text(
        encoding="utf-8"
    )

    def keys(value: object) -> set[str]:
        if isinstance(value, dict):
            return set(value) | set().union(*map(keys, value.values()))
        return set().union(*map(keys, value)) if isinstance(value, list) else set()

    a, b = analyze_run(before()), analyze_run(after())
    row = CauseChangeRow(
        "Flush", ("OpenMP", "Flush"), "flush m.c:1", "", ("flush",), "m.c", 1, 2.0, 1.0, ""
    )
    actual = keys(diff_json.diff_document(a, b, compare(a, b), causes=CauseChanges((row,))))
    scaling = scale([analyze_run(run_with(1, 4.0)), analyze_run(run_with(2, 3.0))])
    actual |= keys(scale_json.scaling_document(scaling))
    assert {"a", "parts", "share", "delta", "serial_fraction", "wallT"} <= actual
    assert not [key for key in actual - {"format", "regions"} if f"`{key}`" not in text]
