"""Long work says on a terminal how far it has got."""

from __future__ import annotations

import importlib
import io
import re
import sys
import time
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest

from pomp_clang import progress
from pomp_clang.cli import main
from pomp_clang.export.write_export import FORMATS
from tests.causes.properties.test_property_instances import everything
from tests.causes.scripts import run_of


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    @property
    def seen(self) -> str:
        """Return the final text of its row, after all output."""
        row = ""
        for line in self.getvalue().split("\r"):
            row = line + row[len(line) :]
        return row.rstrip()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(progress, "_TURN", 3600.0)
    monkeypatch.setattr("pomp_clang.progress.time.monotonic", lambda: now[0])
    return now


def test_a_line_from_a_second_on_which_is_gone_in_the_end(clock: list[float]) -> None:
    terminal = _Terminal()
    bar = progress.Bar("work", terminal)
    bar("reading", 0.1)
    assert terminal.getvalue() == ""
    clock[0] = 3.0
    bar("reading", 0.5)
    assert terminal.getvalue() == "\rreading: 50 %"
    bar("reading", 0.6)
    assert terminal.getvalue() == "\rreading: 50 %"
    bar.end()
    assert terminal.getvalue() == "\rreading: 50 %\r" + " " * len("reading: 50 %") + "\r"


def test_nothing_where_nobody_looks_on(clock: list[float]) -> None:
    quiet = io.StringIO()
    bar = progress.Bar("work", quiet)
    clock[0] = 9.0
    bar("reading", 0.5)
    bar.end()
    assert quiet.getvalue() == ""


def test_silent_work_says_how_long_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_SILENCE", 0.0)
    monkeypatch.setattr(progress, "_TURN", 0.01)
    terminal = _Terminal()
    with progress.Bar("report", terminal):
        _wait_for(terminal, "report, 0 s")
    assert terminal.getvalue().endswith(" \r")


def test_of_two_the_inner_one_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_SILENCE", 0.0)
    monkeypatch.setattr(progress, "_TURN", 0.01)
    terminal = _Terminal()
    with progress.Bar("outer", terminal):
        with progress.Bar("inner", terminal):
            _wait_for(terminal, "inner")
            start = len(terminal.getvalue())
            _wait_for(terminal, "inner", start)
            assert "outer" not in terminal.getvalue()[start:]
        ended = len(terminal.getvalue())
        _wait_for(terminal, "outer", ended)
        assert "inner" not in terminal.getvalue()[ended:]


def test_many_short_pieces_of_work_are_not_silent(clock: list[float]) -> None:
    terminal = _Terminal()
    with progress.Bar("outer", terminal):
        for second in range(9):
            clock[0] = float(second)
            with progress.Bar("inner", terminal) as bar:
                bar(f"piece {second}", 0.5)
            assert terminal.seen == (f"piece {second}: 50 %" if second else "")
    assert terminal.seen == ""


def test_what_is_long_does_not_stick_out_behind_what_is_short(clock: list[float]) -> None:
    terminal = _Terminal()
    with progress.Bar("outer", terminal) as outer:
        clock[0] = 3.0
        outer("a long piece of work", 0.5)
        with progress.Bar("inner", terminal) as inner:
            clock[0] = 4.0
            inner("short", 0.5)
            assert terminal.seen == "short: 50 %"
        clock[0] = 5.0
        outer("o", 0.5)
        assert terminal.seen == "o: 50 %"
    assert terminal.seen == ""


def test_a_line_has_room_in_its_row(clock: list[float]) -> None:
    terminal = _Terminal()
    with progress.Bar("work", terminal) as bar:
        clock[0] = 3.0
        bar("reading " + 40 * "folder/", 0.5)
        assert len(terminal.seen) == 79
        assert terminal.seen.startswith("...") and terminal.seen.endswith("folder/: 50 %")
    assert terminal.seen == ""


def test_the_part_of_one_is_a_part_of_all() -> None:
    parts: list[float] = []
    for number in range(2):
        callback = progress.progress_of_part(parts.append, number, 2)
        callback(0.5)
        callback(1.0)
    assert parts == [0.25, 0.5, 0.75, 1.0]


_VERBS = {
    "report": "report DIR --format html -o OUT",
    "analyze": "analyze DIR",
    "analyze --format json": "analyze DIR --format json",
    "analyze --format html": "analyze DIR --format html -o OUT",
    "analyze --against": "analyze DIR --against DIR",
    "diff": "diff DIR DIR",
    "diff --format json": "diff DIR DIR --format json",
    "diff --format html": "diff DIR DIR --format html -o OUT",
    "trace": "trace DIR",
} | {f"export --to {name}": f"export DIR --to {name} -o OUT" for name in FORMATS}


@pytest.mark.parametrize("verb", _VERBS)
def test_each_verb_that_reads_a_trace_tells_how_far_it_is(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the terminal shows the progress: other outputs do not contain it."""
    run_of(tmp_path, *everything())
    terminal = _Terminal()
    monkeypatch.setattr(progress, "_SILENCE", 0.0)
    monkeypatch.setattr(progress, "_PAUSE", 0.0)
    monkeypatch.setattr(sys, "stderr", terminal)
    names = {"DIR": str(tmp_path), "OUT": str(tmp_path / "out")}
    assert main([names.get(word, word) for word in _VERBS[verb].split()]) == 0
    assert re.search(r"\r[^\r]+: \d+ %", terminal.getvalue())
    assert terminal.seen == ""
    assert "\r" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("verb", "needs"),
    [("analyze", "pomp_clang.report.causes_report"), ("trace", "pomp_clang.trace.text")],
)
def test_what_is_imported_is_waited_for_with_a_line(
    verb: str, needs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The import ends only after the progress line appears."""
    run_of(tmp_path, *everything())
    terminal = _Terminal()
    monkeypatch.setattr(progress, "_SILENCE", 0.0)
    monkeypatch.setattr(progress, "_TURN", 0.01)
    monkeypatch.setattr(sys, "stderr", terminal)
    package, _, name = needs.rpartition(".")
    monkeypatch.setattr(sys.modules[package], name, importlib.import_module(needs))
    monkeypatch.delitem(sys.modules, needs)

    class Slow(MetaPathFinder):
        def find_spec(self, fullname: str, path: object, target: object = None) -> None:
            if fullname == needs:
                _wait_for(terminal, ", 0 s")

    monkeypatch.setattr(sys, "meta_path", [Slow(), *sys.meta_path])
    assert main([verb, str(tmp_path)]) == 0
    assert terminal.seen == ""


def test_predictions_tell_how_many_of_them_there_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_of(tmp_path, *everything())
    terminal = _Terminal()
    monkeypatch.setattr(progress, "_SILENCE", 0.0)
    monkeypatch.setattr(progress, "_PAUSE", 0.0)
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main(["analyze", str(tmp_path)]) == 0
    parts = [int(part) for part in re.findall(r"predicting [^:]+: (\d+) %", terminal.getvalue())]
    assert parts == sorted(parts) and parts[0] == 0 and parts[-1] > 50
    assert "predicting" not in capsys.readouterr().out


def _wait_for(terminal: _Terminal, what: str, offset: int = 0) -> None:
    end = time.monotonic() + 60
    while what not in terminal.getvalue()[offset:]:
        assert time.monotonic() < end, what
        time.sleep(0.01)
