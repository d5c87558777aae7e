"""The abilities of a text's destination: colors, line drawing, number of columns."""

from __future__ import annotations

import os
import re
from typing import TextIO

from pomp_clang.shared_dataclass import dataclass

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
"""The least width of tables; lines wrap on narrower terminals."""

_FOLDER = re.compile(r"[^\s:()]*/")

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
        """Draw a bar of `cells` for a share of 1, in eighths of a cell if the terminal has them."""
        share = min(1.0, max(0.0, share))
        if not self.unicode:
            return "#" * round(share * cells)
        full, rest = divmod(round(share * cells * 8), 8)
        return "█" * full + (_EIGHTHS[rest] if rest else "")

    @property
    def ellipsis(self) -> str:
        """The mark where characters are missing."""
        return "…" if self.unicode else ".."

    def shorten(self, text: str, length: int) -> str:
        """Shorten the text to `length` characters, with a mark where characters are missing."""
        if len(text) <= length:
            return text
        return text[: max(0, length - len(self.ellipsis))] + self.ellipsis

    def shorten_place(self, text: str, length: int) -> str:
        """Shorten a place to `length` characters, by folders at its start.

        The place of an inclusion behind it loses its folders first, and goes if that is not enough.
        """
        if len(text) <= length:
            return text
        text, inclusion, places = text.partition(" (from ")
        with_files = text + inclusion + _FOLDER.sub("", places)
        if len(with_files) <= length:
            return with_files
        if len(text) <= length:
            return text
        return self.ellipsis + text[len(text) - max(0, length - len(self.ellipsis)) :]


def heat(share: float) -> str:
    """Return the role of a lost share of time, which leads the eye to the largest losses."""
    if share >= 0.25:
        return "hot"
    if share >= 0.10:
        return "warm"
    return "" if share >= 0.005 else "dim"


def printable(text: str) -> str:
    """Escape control characters: names come from other people's files."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def terminal_of(stream: TextIO, color: str) -> Terminal:
    """Describe what `stream` can show, under --color=auto, always or never."""
    is_terminal = stream.isatty()
    is_colored = is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Terminal(
        color=color == "always" or (color == "auto" and is_colored),
        unicode=(stream.encoding or "").lower().replace("-", "") == "utf8",
        width=max(_NARROWEST, _columns(stream)) if is_terminal else None,
    )


def _columns(stream: TextIO) -> int:
    value = os.environ.get("COLUMNS", "")
    if value.isdecimal():
        return int(value)
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:
        return 80
