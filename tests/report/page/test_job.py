"""`report` of a job with traces: its causes first, over all processes, and its profile beside them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from pomp_clang.cli.report import command
from tests.causes.scripts import late_at_barrier
from tests.report.html.browser import Browser
from tests.report.page.cubes import is_silent, open_page, rows, selected


@pytest.fixture
def traced(tmp_path: Path) -> Path:
    """Return a job of two processes, in each of which the worker reaches the barrier four seconds
    late.
    """
    job = tmp_path / "pomp-job-1"
    for rank in range(2):
        late_at_barrier(job / f"rank-{rank}")
    return job


def _report(*arguments: str) -> str:
    result = CliRunner().invoke(command, list(arguments))
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_traced_job_opens_on_the_causes_of_all_its_processes(
    chromium: Browser, tmp_path: Path, traced: Path
) -> None:
    page = tmp_path / "page.html"
    page.write_text(_report(str(traced), "--format", "html"), encoding="utf-8")
    open_page(chromium, page)
    assert selected(chromium, "property") == "Wait at a barrier"
    assert ["Wait at a barrier", "20.0"] in rows(chromium, "property")
    assert rows(chromium, "location")[-6:] == [
        ["process 0", "0.0"], ["thread 0", "10.0"], ["thread 1", "0.0"],
        ["process 1", "0.0"], ["thread 0", "10.0"], ["thread 1", "0.0"],
    ]  # fmt: skip
    summary = chromium.value("document.querySelector('.run').textContent")
    assert "2 processes" in summary and "4 threads" in summary
    chromium.value("document.querySelector('a[href=\"#view-profile\"]').click()")
    assert chromium.value("document.getElementById('alike').getClientRects().length")
    assert is_silent(chromium)


def test_without_traces_it_is_the_profile_alone(traced: Path) -> None:
    for file in traced.glob("rank-*/trace-*"):
        file.unlink()
    page = _report(str(traced), "--format", "html")
    assert 'id="tree-property"' not in page and "No causes" not in page
    assert 'id="alike"' in page


def test_a_trace_that_cannot_be_read_leaves_the_profile_and_says_why(traced: Path) -> None:
    (file, *_) = sorted(traced.glob("rank-1/trace-*"))
    file.write_bytes(b"POMPTRC?" + file.read_bytes()[8:])
    page = _report(str(traced), "--format", "html")
    assert 'id="tree-property"' not in page and 'id="alike"' in page
    assert f"No causes: {file}" in page
    text = _report(str(traced), "--all")
    assert f"No causes: {file}"[:40] in text and "worst" not in text


def test_the_text_says_the_worst_causes_with_place_threads_and_gain(traced: Path) -> None:
    text = _report(str(traced), "--all")
    causes = text.partition("Causes (thread P.N is thread N of process P)")[2].partition("\n──")[0]
    assert "1. Wait at a barrier: 8.00 s, 20.0 % of the threads' time" in causes
    assert "Lost by thread 0.0 4.00 s, thread 1.0 4.00 s." in causes
    assert "Removing it would save 2.00 s (20.0 % of the run time)." in causes
