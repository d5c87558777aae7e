"""What the place a text goes to can show: colours, line drawing, so many columns."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TextIO

ROLES: dict[str, dict[str, str | bool]] = {
    "title": {"fg": "cyan", "bold": True},
    "id": {"bold": True},
    "dim": {"dim": True},
    "warm": {"fg": "yellow"},
    "hot": {"fg": "red", "bold": True},
    "strong": {"bold": True},
    "good": {"fg": "green"},
}

_NARROWEST = 60
"""What is narrower gets lines that wrap: a table of times needs so much."""

_EIGHTHS = " ▏▎▍▌▋▊▉█"


@dataclass(frozen=True, slots=True)
class Terminal:
    """`width` None is a file or a pipe: nothing is shortened to fit."""

    color: bool = False
    unicode: bool = False
    width: int | None = None

    def paint(self, text: str, role: str) -> str:
        if not self.color or not role or not text.strip():
            return text
        import click

        return click.style(text, **ROLES[role])  # type: ignore[arg-type]

    def rule(self, length: int) -> str:
        return ("─" if self.unicode else "-") * length

    def bar(self, share: float, cells: int) -> str:
        """A bar of `cells` for a share of 1, in eighths of a cell where they can be drawn."""
        share = min(1.0, max(0.0, share))
        if not self.unicode:
            return "#" * round(share * cells)
        whole, rest = divmod(round(share * cells * 8), 8)
        return "█" * whole + (_EIGHTHS[rest] if rest else "")

    def shorten(self, text: str, length: int, *, keep_end: bool = False) -> str:
        """At most `length` characters of the text, with a mark where some were left out."""
        if len(text) <= length:
            return text
        mark = "…" if self.unicode else ".."
        room = max(0, length - len(mark))
        return mark + text[len(text) - room :] if keep_end else text[:room] + mark


def heat(share: float) -> str:
    """The role of a share of time that is lost: it leads the eye to where most of it is."""
    if share >= 0.25:
        return "hot"
    if share >= 0.10:
        return "warm"
    return "" if share >= 0.005 else "dim"


def printable(text: str) -> str:
    """Names come from other people's files: no control characters reach the terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def terminal_of(stream: TextIO, color: str) -> Terminal:
    """What `stream` can show, under --color=auto, always or never."""
    is_terminal = stream.isatty()
    wanted = is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Terminal(
        color=color == "always" or (color == "auto" and wanted),
        unicode=(stream.encoding or "").lower().replace("-", "") == "utf8",
        width=max(_NARROWEST, _columns(stream)) if is_terminal else None,
    )


def _columns(stream: TextIO) -> int:
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal():
        return int(said)
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:
        return 80
