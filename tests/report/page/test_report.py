"""`report --format html`: the causes are there where there is a trace."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from pomp_clang.cli.analyze import command as analyze
from pomp_clang.cli.report import command
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.first_screen import further
from tests.causes.scripts import late_at_barrier
from tests.report.html.browser import Browser
from tests.report.page.cubes import is_silent, open_page, rows, selected

_OWN = """
from pomp_clang.causes import Property

class Own(Property):
    name = "Own thing"
    unit = "things"

    def severity(self, run):
        cells = run.cells()
        cells[0, 0] = 42
        return cells
"""


@pytest.fixture
def traced(tmp_path: Path) -> str:
    """Return a run of ten seconds with two threads, whose worker reaches the barrier four seconds
    late.
    """
    return late_at_barrier(tmp_path / "run")


def _report(*arguments: str) -> str:
    result = CliRunner().invoke(command, [*arguments, "--format", "html"])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_traced_run_opens_on_its_causes(chromium: Browser, tmp_path: Path, traced: str) -> None:
    page = tmp_path / "page.html"
    page.write_text(_report(traced), encoding="utf-8")
    open_page(chromium, page)
    assert selected(chromium, "property") == "Wait at a barrier"
    assert ["Wait at a barrier", "20.0"] in rows(chromium, "property")
    assert ["barrier", "20.0"] in rows(chromium, "path")
    assert rows(chromium, "location")[-2:] == [["thread 0", "20.0"], ["thread 1", "0.0"]]
    assert is_silent(chromium)


def test_a_time_that_is_asked_for_is_what_is_seen(
    chromium: Browser, tmp_path: Path, traced: str
) -> None:
    page = tmp_path / "page.html"
    is_seen = "[...document.querySelectorAll('.view')].filter((each) => !each.hidden)[0].id"
    for options, seen in (((), "view-causes"), (("--from", "2", "--to", "6"), "view-timeline")):
        page.write_text(_report(traced, *options), encoding="utf-8")
        open_page(chromium, page)
        assert chromium.value(is_seen) == seen
        assert is_silent(chromium)


def test_text_says_how_to_see_the_causes(traced: str) -> None:
    assert f"pomp-clang analyze {traced}" in "\n".join(further(traced, 0, Terminal(width=300)))
    for format_ in ("json", "csv"):
        assert (
            "pomp-clang analyze"
            not in CliRunner().invoke(command, [traced, "--format", format_]).stdout
        )
    for file in Path(traced).glob("trace-*"):
        file.unlink()
    assert "run with POMP_TRACE=1" in "\n".join(further(traced, 0, Terminal(width=300)))


def test_without_a_trace_it_is_the_profile(traced: str) -> None:
    for file in Path(traced).glob("trace-*"):
        file.unlink()
    page = _report(traced)
    assert 'id="tree-property"' not in page and "No causes" not in page
    assert 'id="profiles"' in page


def test_causes_that_were_saved_are_shown_without_the_trace(
    traced: str,
) -> None:
    assert CliRunner().invoke(analyze, [traced]).exit_code == 0
    for file in Path(traced).glob("trace-*"):
        file.unlink()
    page = _report(traced)
    assert 'id="tree-property"' in page and "The trace is gone" in page


def test_a_damaged_trace_is_said_on_the_profile(traced: str) -> None:
    file = next(Path(traced).glob("trace-*"))
    file.write_bytes(b"nothing of the kind")
    page = _report(traced)
    assert "No causes: " in page and file.name in page
    assert 'id="tree-property"' not in page and 'id="profiles"' in page


def test_properties_of_ones_own_are_in_the_tree(
    chromium: Browser, tmp_path: Path, traced: str
) -> None:
    own = tmp_path / "own.py"
    own.write_text(_OWN)
    page = tmp_path / "page.html"
    page.write_text(_report(traced, "--properties", str(own)), encoding="utf-8")
    open_page(chromium, page)
    chromium.value("document.querySelector('[name=mode][value=amount]').click()")
    chromium.value("pomp.presenter.properties.select(pomp.presenter.cube.properties.length - 1)")
    assert rows(chromium, "property")[-1] == ["Own thing", "42"]


def test_properties_that_cannot_be_loaded_are_an_error_of_one_line(
    tmp_path: Path, traced: str
) -> None:
    own = tmp_path / "own.py"
    own.write_text("nonsense(")
    result = CliRunner().invoke(command, [traced, "--format", "html", "--properties", str(own)])
    assert result.exit_code == 1
    assert "own.py:1" in result.output and "Traceback" not in result.output


def test_the_processes_of_a_program_stand_side_by_side(
    chromium: Browser, tmp_path: Path, traced: str
) -> None:
    page = tmp_path / "page.html"
    arguments = [traced, traced, "--format", "html", "-o", str(page)]
    assert CliRunner().invoke(analyze, arguments).exit_code == 0
    open_page(chromium, page)
    names = [name for name, _ in rows(chromium, "location")]
    assert names[-6:] == ["process 0", "thread 0", "thread 1", "process 1", "thread 0", "thread 1"]
    assert ["Wait at a barrier", "20.0"] in rows(chromium, "property")
    assert chromium.value("document.querySelectorAll('[role=tab]').length") == 1
    assert is_silent(chromium)


def test_a_saved_cube_is_a_page(tmp_path: Path, traced: str) -> None:
    cube = str(tmp_path / "all.pomp")
    assert CliRunner().invoke(analyze, [traced, "--save", cube]).exit_code == 0
    result = CliRunner().invoke(analyze, [cube, "--format", "html"])
    assert result.exit_code == 0 and 'id="tree-property"' in result.stdout


def test_a_page_shows_one_run(traced: str) -> None:
    result = CliRunner().invoke(analyze, [traced, "--against", traced, "--format", "html"])
    assert result.exit_code == 1 and "pomp-clang diff A B" in result.output
