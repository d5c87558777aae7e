"""A comparison as SARIF: every finding at its line of the source, as code hosts read it."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pomp_clang.analysis.comparison import compare
from pomp_clang.analysis.comparison.conditions import parse
from pomp_clang.analysis.comparison.verdicts import verdicts
from pomp_clang.analysis.run import analyze_run
from pomp_clang.experiment.model import Experiment, Measured
from pomp_clang.report.sarif import render
from tests.handmade import experiment, region

CONDITIONS = ("duration > 10%", "execT > 50%", "gone")
SCHEMA = os.environ.get("POMP_SARIF_SCHEMA", "")


def run(wait: float, *more: str, file: str = "src/a b.c") -> Experiment:
    regions = [region("R1", "for", 10, 20), *(region(name, "critical", 30) for name in more)]
    profile = {
        ("R1", t): Measured(10, 1.0 + t * wait, 10, 1.0, exitBarT=t * wait) for t in range(4)
    }
    profile |= {(name, t): Measured(3, 0.1, 3, 0.1) for name in more for t in range(4)}
    regions = [replace(one, file=file) for one in regions]
    return experiment(regions, profile, duration=1.1 + 3 * wait)


def document(a: Experiment, b: Experiment, root: str = ".", folder: str = "") -> dict[str, Any]:
    runs = analyze_run(a), analyze_run(b)
    regions = compare(*runs)
    held = verdicts(*runs, regions, [(text, parse(text)) for text in CONDITIONS])
    read = json.loads(render(*runs, regions, held, (folder, folder), root))
    assert isinstance(read, dict)
    return read


def results(read: dict[str, Any]) -> list[dict[str, Any]]:
    (only,) = read["runs"]
    result = only["results"]
    assert isinstance(result, list)
    return result


def place(result: dict[str, Any]) -> tuple[str, int]:
    (location,) = result["locations"]
    physical = location["physicalLocation"]
    return physical["artifactLocation"]["uri"], physical["region"]["startLine"]


def test_conditions_are_errors_and_what_grew_is_a_warning() -> None:
    actual = results(document(run(0.0, "R2"), run(0.5)))
    assert [(result["ruleId"], result["level"]) for result in actual] == [
        ("fail-on", "error"),
        ("fail-on", "error"),
        ("fail-on", "error"),
        ("ImbalanceInParallelLoop", "warning"),
    ]
    assert [place(result) for result in actual] == [
        ("src/a%20b.c", 10),
        ("src/a%20b.c", 10),
        ("src/a%20b.c", 30),
        ("src/a%20b.c", 10),
    ]
    text = [result["message"]["text"] for result in actual]
    assert text[0].startswith("the program: duration > 10%: duration +1.5 s (+136.4 %)")
    assert text[1].startswith("for: execT > 50%: execT +3 s (+75.0 %)")
    assert text[2].startswith("critical (unnamed): gone: gone")


def test_nothing_worse_is_no_result() -> None:
    read = document(run(0.5), run(0.5))
    assert results(read) == []
    assert [rule["id"] for rule in read["runs"][0]["tool"]["driver"]["rules"]] == ["fail-on"]


def test_sources_are_named_from_the_root(tmp_path: Path) -> None:
    folder = str(tmp_path / "checkout" / "src")
    for root, uri, base in (
        (tmp_path / "checkout", "src/a.c", "SRCROOT"),
        (tmp_path / "elsewhere", f"file://{folder}/a.c", None),
    ):
        read = document(run(0.0, file="a.c"), run(0.5, file="a.c"), str(root), folder)
        (artifact,) = {
            json.dumps(result["locations"][0]["physicalLocation"]["artifactLocation"])
            for result in results(read)
        }
        assert json.loads(artifact) == {"uri": uri, **({"uriBaseId": base} if base else {})}
        bases = read["runs"][0]["originalUriBaseIds"]
        assert bases["SRCROOT"]["uri"] == f"file://{root}/"


def test_a_finding_is_known_again_when_its_line_has_moved() -> None:
    first = run(0.5)
    moved = replace(first, regions=tuple(replace(r, begin_line1=99) for r in first.regions))
    before, other = (results(document(run(0.0), b)) for b in (first, moved))
    assert [place(result)[1] for result in other] == [99] * len(other)
    assert [e["partialFingerprints"] for e in before] == [e["partialFingerprints"] for e in other]
    assert len({json.dumps(e["partialFingerprints"]) for e in before}) == len(before)


def test_models_of_sarif_read_it() -> None:
    sarif = pytest.importorskip("sarif_pydantic", reason="sarif-pydantic is not here")
    read = sarif.Sarif.model_validate(document(run(0.0, "R2"), run(0.5)))
    assert read.runs[0].results[0].rule_id == "fail-on"
    wrong = document(run(0.0), run(0.5))
    wrong["runs"][0]["results"][0]["level"] = "bad"
    with pytest.raises(ValueError, match="level"):
        sarif.Sarif.model_validate(wrong)


@pytest.mark.skipif(not SCHEMA, reason="POMP_SARIF_SCHEMA names no sarif-schema-2.1.0.json")
def test_the_schema_takes_it() -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not here")
    schema = json.loads(Path(SCHEMA).read_text())
    check = jsonschema.Draft7Validator(schema)
    for a, b in ((run(0.0, "R2"), run(0.5)), (run(0.5), run(0.5))):
        assert list(check.iter_errors(document(a, b, "/root", "/root/x"))) == []
    wrong = document(run(0.0), run(0.5))
    wrong["runs"][0]["results"][0]["level"] = "bad"
    assert list(check.iter_errors(wrong))
