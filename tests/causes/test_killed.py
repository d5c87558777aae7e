"""A run that was killed: its duration is marked as incomplete wherever it stands."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest
from click.testing import CliRunner

from pomp_clang.causes.cube.algebra import difference, merge
from pomp_clang.causes.cube.store import load, save
from pomp_clang.cli.analyze import command
from pomp_clang.cli.report import command as report
from pomp_clang.experiment.layout import FILE_NAME, STATE_ENDED
from tests.causes.scripts import late_at_barrier

_STATE = 20
"""Offset of the state in an experiment's header."""


@pytest.fixture
def ended(tmp_path: Path) -> str:
    return late_at_barrier(tmp_path / "ended")


@pytest.fixture
def killed(tmp_path: Path) -> str:
    directory = late_at_barrier(tmp_path / "killed")
    file = Path(directory) / FILE_NAME
    data = bytearray(file.read_bytes())
    assert struct.unpack_from("=I", data, _STATE) == (STATE_ENDED,)
    struct.pack_into("=I", data, _STATE, 0)
    file.write_bytes(data)
    return directory


def report_text(*arguments: str) -> str:
    result = CliRunner().invoke(command, list(arguments))
    assert result.exit_code == 0, result.output
    return result.output


def test_text_marks_the_duration_as_report_does(ended: str, killed: str) -> None:
    (title,) = (line for line in report_text(killed).splitlines() if line.startswith("app: "))
    assert title.endswith(" s (incomplete) with 2 threads")
    assert "incomplete" not in report_text(ended)
    result = CliRunner().invoke(report, [killed])
    assert result.exit_code == 0
    assert " s (incomplete) with 2 threads\n" in result.output


def test_json_says_whether_the_run_is_complete(ended: str, killed: str) -> None:
    assert json.loads(report_text(ended, "--format", "json"))["complete"] is True
    assert json.loads(report_text(killed, "--format", "json"))["complete"] is False


def test_page_marks_the_duration(ended: str, killed: str) -> None:
    assert "(incomplete)" in report_text(killed, "--format", "html")
    assert "(incomplete)" not in report_text(ended, "--format", "html")


def test_comparison_marks_the_run_that_is_incomplete(ended: str, killed: str) -> None:
    title = report_text(ended, "--against", killed).splitlines()[0]
    assert title.count("(incomplete)") == 1 and title.endswith("(incomplete) with 2 threads")
    title = report_text(killed, "--against", ended).splitlines()[0]
    assert title.count("(incomplete)") == 1 and "(incomplete) with 2 threads, before" in title


def test_processes_are_complete_together(ended: str, killed: str) -> None:
    assert "(incomplete) with 4 threads in 2 processes" in report_text(ended, killed)
    report_text(ended)
    report_text(killed)
    whole, part = load(ended), load(killed)
    assert (whole.complete, part.complete) == (True, False)
    assert merge([whole, whole]).complete and not merge([whole, part]).complete
    assert not difference(part, whole).complete


def test_saved_severities_keep_it(killed: str, tmp_path: Path) -> None:
    saved = str(tmp_path / "saved.pomp")
    report_text(killed, "--save", saved)
    assert "(incomplete)" in report_text(saved)


def test_older_file_of_severities_counts_as_complete(killed: str, tmp_path: Path) -> None:
    report_text(killed)
    file = save(load(killed), str(tmp_path / "older.pomp"))
    actual = b', "complete": false'
    data = file.read_bytes()
    assert actual in data
    file.write_bytes(data.replace(actual, b"".ljust(len(actual))))
    assert load(str(file)).complete
