"""Long work says on a terminal how far it has got."""

from __future__ import annotations

import io

import pytest

from pomp_clang import progress


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_a_line_from_two_seconds_on_which_is_gone_in_the_end(clock: list[float]) -> None:
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
