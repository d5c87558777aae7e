"""Capabilities of a stream, checked with a real pseudo terminal."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import struct
import termios
from collections.abc import Iterator
from typing import TextIO

import pytest

from pomp_clang.report.terminal import Terminal, heat, printable, terminal_of


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[TextIO]:
    """Yield a terminal of 93 columns that knows UTF-8."""
    for name in ("NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 93, 0, 0))
    with open(slave, "w", encoding="utf-8") as stream:
        yield stream
    os.close(master)


def test_a_terminal_has_colours_and_a_width(screen: TextIO) -> None:
    assert terminal_of(screen, "auto") == Terminal(color=True, unicode=True, width=93)
    assert not terminal_of(screen, "never").color


def test_columns_in_the_environment_win(screen: TextIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    assert terminal_of(screen, "auto").width == 120
    monkeypatch.setenv("COLUMNS", "20")
    assert terminal_of(screen, "auto").width == 60


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_no_color(screen: TextIO, monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    assert not terminal_of(screen, "auto").color
    assert terminal_of(screen, "always").color


def test_an_empty_no_color_says_nothing(screen: TextIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "")
    assert terminal_of(screen, "auto").color


def test_a_pipe_is_plain_and_has_no_width() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert terminal_of(stream, "auto") == Terminal(color=False, unicode=False, width=None)
    assert terminal_of(stream, "always").color


def test_bars() -> None:
    drawn, plain = Terminal(unicode=True), Terminal()
    assert [drawn.bar(x, 4) for x in (0, 0.125, 0.25, 1, 7)] == ["", "▌", "█", "████", "████"]
    assert [plain.bar(x, 4) for x in (-1, 0, 0.5, 1)] == ["", "", "##", "####"]


def test_shortening_keeps_the_end_that_matters() -> None:
    assert Terminal(unicode=True).shorten("abcdef", 4) == "abc…"
    assert Terminal(unicode=True).shorten_place("abcdef", 4) == "…def"
    assert Terminal().shorten_place("abcdef", 4) == "..ef"
    assert Terminal().shorten("abcd", 4) == "abcd"


def test_shortening_a_place_keeps_its_line_rather_than_the_inclusion() -> None:
    place = "src/t.h:5 (from src/a.h:2 from main/b.c:3)"
    shortened = [Terminal(unicode=True).shorten_place(place, room) for room in (42, 41, 33, 32, 6)]
    short = "src/t.h:5 (from a.h:2 from b.c:3)"
    assert shortened == [place, short, short, "src/t.h:5", "…t.h:5"]


def test_heat() -> None:
    assert [heat(x) for x in (0.0, 0.0049, 0.05, 0.1, 0.25)] == ["dim", "dim", "", "warm", "hot"]


def test_printable() -> None:
    assert printable("größe.c") == "größe.c"
    assert printable("a\x1b\n\udcff") == r"a\x1b\n\udcff"
