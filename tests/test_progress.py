"""Long work says on a terminal how far it has got."""

from __future__ import annotations

import io
import time

import pytest

from pomp_clang import progress


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(progress, "_TURN", 3600.0)
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_a_line_from_a_second_on_which_is_gone_in_the_end(clock: list[float]) -> None:
    terminal = _Terminal()
    bar = progress.Bar(terminal)
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
    bar = progress.Bar(quiet)
    clock[0] = 9.0
    bar("reading", 0.5)
    bar.end()
    assert quiet.getvalue() == ""


def test_silent_work_says_how_long_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_SILENCE", 0.0)
    monkeypatch.setattr(progress, "_TURN", 0.01)
    terminal = _Terminal()
    with progress.Bar(terminal, "report"):
        _wait_for(terminal, "report, 0 s")
    assert terminal.getvalue().endswith(" \r")


def test_of_two_the_inner_one_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_SILENCE", 0.0)
    monkeypatch.setattr(progress, "_TURN", 0.01)
    terminal = _Terminal()
    with progress.Bar(terminal, "outer"):
        with progress.Bar(terminal, "inner"):
            _wait_for(terminal, "inner")
            begun = len(terminal.getvalue())
            _wait_for(terminal, "inner", begun)
            assert "outer" not in terminal.getvalue()[begun:]
        ended = len(terminal.getvalue())
        _wait_for(terminal, "outer", ended)
        assert "inner" not in terminal.getvalue()[ended:]


def _wait_for(terminal: _Terminal, what: str, behind: int = 0) -> None:
    end = time.monotonic() + 60
    while what not in terminal.getvalue()[behind:]:
        assert time.monotonic() < end, what
        time.sleep(0.01)
