"""Users' properties: found, placed in the tree like ours, and with errors reported in one line."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pomp_clang.causes.cube.cube import compute
from pomp_clang.causes.properties import PROPERTIES
from pomp_clang.causes.properties.openmp import Critical, CriticalContention
from pomp_clang.causes.properties.property import Remedy
from pomp_clang.causes.properties.registry import (
    PropertyError,
    occurrences_of,
    properties,
    severity_of,
)
from pomp_clang.trace.layout import Kind, Op, Type
from tests.causes.scripts import (
    MAIN,
    PARALLEL,
    Stream,
    begin,
    cells,
    departing,
    ending,
    event,
    fork,
    leave,
    member,
    opened,
    run_of,
)
from tests.compilers import links_openmp

TEAM = 7
STREAMS: tuple[Stream, Stream] = (
    [fork(1, PARALLEL, TEAM), begin(1, PARALLEL), *ending(PARALLEL, TEAM, 5, 5, 5)],
    [member(1, PARALLEL, TEAM, 1), *departing(PARALLEL, 3, 5)],
)

DOCS = Path(__file__).parents[3] / "docs"
TREES = tuple(DOCS / "reference" / f"{name}-properties.md" for name in ("trace", "mpi"))
OWN_PROPERTY = DOCS / "how-to" / "own-property.md"


def written(folder: Path, text: str) -> str:
    file = folder / "mine.py"
    file.write_text("from pomp_clang.causes import Property\n" + text)
    return str(file)


def test_parents_come_first() -> None:
    order = properties()
    assert set(order) >= set(PROPERTIES)
    for row, kind in enumerate(order):
        assert kind.parent is None or kind.parent in order[:row]


def test_each_property_says_what_it_is() -> None:
    for kind in PROPERTIES:
        assert kind.name and kind.description.endswith(".")
        assert not kind.remedy or kind.advice
    assert len({kind.path() for kind in PROPERTIES}) == len(PROPERTIES)


def test_what_is_skipped_has_no_cause_as_its_part() -> None:
    """A finding is shown without the properties below it; its gain has to cover the same time.

    The severity of a critical section contains the waits for it: both are one finding.
    """
    for kind in PROPERTIES:
        above = kind.parent
        while kind.remedy and above is not None:
            is_one = (above, kind) == (Critical, CriticalContention)
            assert is_one or above.remedy is not Remedy.SKIP, (kind.path(), above.path())
            above = above.parent


def test_the_documented_tree_is_the_one_that_there_is() -> None:
    text = "".join(page.read_text() for page in TREES)
    for kind in PROPERTIES:
        assert re.search(rf"\b{kind.name}\b", text), (
            f"no tree of docs/reference/trace-properties.md or mpi-properties.md has {kind.name}"
        )


def test_the_tutorial_s_property_is_computed(tmp_path: Path) -> None:
    code = OWN_PROPERTY.read_text().split("```python")[1].split("```")[0]
    file = tmp_path / "rates.py"
    file.write_text(code)
    master, worker = STREAMS
    tells = [
        opened(2, Kind.USER, MAIN),
        event(2, Op.TELLS | Type.UNSIGNED, MAIN, 30),
        event(3, Op.TELLS | Type.SIGNED, MAIN, 10),
        leave(4, MAIN),
    ]
    run = run_of(tmp_path / "run", [*master[:2], *tells, *master[2:]], worker)
    cube = compute(run, properties(str(file)))
    assert cells(cube, "Iterations per Second") == {(150, 0): 20}


def test_the_tutorial_as_a_user_follows_it(tmp_path: Path) -> None:
    """A real program reports its iterations, and the analysis finds the same number."""
    if not links_openmp("gcc"):
        pytest.skip("gcc with its OpenMP runtime is not here")
    code = OWN_PROPERTY.read_text().split("```python")[1].split("```")[0]
    (tmp_path / "rates.py").write_text(code)
    (tmp_path / "app.c").write_text(
        "int main(void) {\n  int iterations = 300;\n"
        "  #pragma pomp inst begin(solver, iterations)\n"
        "  for (volatile int i = 0; i < 100000; i++);\n"
        "  #pragma pomp inst end(solver)\n  return 0;\n}\n"
    )
    build = ["pomp-clang", "--", "gcc", "-fopenmp", "app.c", "-o", "app"]
    subprocess.run(build, cwd=tmp_path, check=True)
    subprocess.run(["./app"], cwd=tmp_path, check=True, env=os.environ | {"POMP_TRACE": "1"})
    analyze = ["pomp-clang", "analyze", "--properties", "rates.py", "--format", "json"]
    result = subprocess.run(analyze, cwd=tmp_path, check=True, capture_output=True, text=True)
    actual = {row["name"]: row for row in json.loads(result.stdout)["properties"]}
    (place,) = actual["Iterations per Second"]["places"]
    assert place["callpath"] == ["solver"]
    (time,) = [p for p in actual["Time"]["places"] if p["callpath"] == ["solver"]]
    assert place["severity"] == pytest.approx(300 / time["severity"])


def test_a_package_brings_its_own_by_an_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = OWN_PROPERTY.read_text().split("```python")[1].split("```")[0]
    (tmp_path / "rates.py").write_text(code)
    information = tmp_path / "rates-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: rates\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[pomp_clang.properties]\nrates = rates\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert properties()[-1].name == "Iterations per Second"
    (tmp_path / "rates.py").write_text("1 / 0")
    monkeypatch.delitem(sys.modules, "rates")
    with pytest.raises(PropertyError, match=r"rates\.py:1: ZeroDivisionError"):
        properties()


def test_a_part_of_one_of_ours(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        "from pomp_clang.causes.properties.time import Execution\n"
        "class Half(Property):\n"
        "    name = 'Half'\n"
        "    parent = Execution\n"
        "    def severity(self, run):\n"
        "        return run.spent.sum(axis=2).T / run.second / 2\n",
    )
    cube = compute(run_of(tmp_path / "run", *STREAMS), properties(file))
    assert cells(cube, "Time", "Execution", "Half") == {(0, 0): 3, (10, 0): 2, (10, 1): 2}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("class (", r"mine\.py:2: SyntaxError"),
        ("1 / 0", r"mine\.py:2: ZeroDivisionError"),
        ("x = 1", "has no property"),
    ],
)
def test_what_cannot_be_loaded(tmp_path: Path, code: str, expected: str) -> None:
    with pytest.raises(PropertyError, match=expected) as raised:
        properties(written(tmp_path, code))
    assert "\n" not in str(raised.value)


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(PropertyError, match="there is no such file"):
        properties(str(tmp_path / "none.py"))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return run.nothing", r"mine\.py:5: property Mine: AttributeError"),
        ("return run.spent", "its severity has shape"),
        ("return run.cells() / 0 * float('nan')", "values that are no numbers"),
        ("return 'much'", "ValueError"),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_cannot_be_computed(tmp_path: Path, body: str, expected: str) -> None:
    file = written(
        tmp_path,
        f"class Mine(Property):\n    name = 'Mine'\n    def severity(self, run):\n        {body}\n",
    )
    with pytest.raises(PropertyError, match=expected):
        compute(run_of(tmp_path / "run", *STREAMS), properties(file))


OWN_INSTANCES = """
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.properties.instance_sources import intervals

class Mine(Property):
    name = "Mine"

    def severity(self, run):
        return run.seconds(Activity.IMPLICIT)

    def instances(self, run):
        %s
"""


def test_a_property_of_a_file_has_instances(tmp_path: Path) -> None:
    *_, users_kind = kinds = properties(
        written(tmp_path, OWN_INSTANCES % "yield from intervals(run, (Activity.IMPLICIT,))")
    )
    run = run_of(tmp_path, *STREAMS)
    occurrences, cells = occurrences_of(users_kind, run, kinds), severity_of(users_kind, run)
    assert cells is not None
    assert len(occurrences.severity) and occurrences.severity.sum() == pytest.approx(cells.sum())


@pytest.mark.parametrize("body", ["return 1 / 0", "yield 1 / 0"])
def test_instances_that_cannot_be_computed_are_named(tmp_path: Path, body: str) -> None:
    *_, users_kind = kinds = properties(written(tmp_path, OWN_INSTANCES % body))
    with pytest.raises(PropertyError, match=r"mine\.py:\d+: instances of property Mine: .*zero"):
        occurrences_of(users_kind, run_of(tmp_path, *STREAMS), kinds)
