"""How regions, numbers and shares are said, alike in all sections of the text."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

from pomp_clang.experiment.model import Region
from pomp_clang.report.terminal import printable

_UNNAMED = ("critical", "region", "function")


def what(region: Region, running: bool = False) -> str:
    """Kind and name: "critical (queue)", "function main", "task (running)"."""
    if running:
        return f"{what(region)} (running)"
    if region.kind in ("function", "region") and region.sub_name:
        return printable(f"{region.kind} {region.sub_name}")
    if region.sub_name:
        return printable(f"{region.kind} ({region.sub_name})")
    return printable(f"{region.kind} (unnamed)" if region.kind in _UNNAMED else region.kind)


def place(region: Region) -> str:
    """File and lines: "main.c:20-23"."""
    last = max(region.begin_line1, region.end_line1, region.end_lineN)
    lines = (
        str(region.begin_line1) if last == region.begin_line1 else f"{region.begin_line1}-{last}"
    )
    return printable(f"{region.file}:{lines}")


def where(region: Region | None) -> str:
    """Id, kind, name and place; None is the program as a whole."""
    if region is None:
        return "the program"
    return f"{region.id}  {what(region)}  {place(region)}"


def number(count: int, word: str) -> str:
    if count == 1:
        return f"{count} {word}"
    return f"{count} {word}es" if word.endswith("s") else f"{count} {word}s"


def decimals_for(values: Iterable[float], digits: int = 7) -> int:
    """As many decimals as give the largest of the seconds so many digits in all."""
    return max(0, digits - len(str(int(max(values, default=0.0)))))


def seconds(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}"


def until(duration: str, complete: bool) -> str:
    """Return a duration, marked as incomplete if the program ended early."""
    return duration if complete else f"{duration} (incomplete)"


def signed(value: float, decimals: int) -> str:
    """A difference with its sign, but for what is rounded to nothing."""
    said = f"{value:+.{decimals}f}"
    return said if said.strip("+-0.") else said[1:]


def percent(share: float) -> str:
    """A share with one decimal; what is there but too little for it is said to be so."""
    if 0 < share < 0.0005:
        return "<0.1"
    return f"{100 * share:.1f}"


def fraction(value: float | None) -> str:
    """A part of one; what got slower with more threads has none."""
    if value is None:
        return ""
    return f"{value:.3f}" if value <= 1 else ">1"


def wrapped(text: str, width: int | None, indent: str = "  ") -> list[str]:
    """Lines of at most that width; a number and what it counts stay together."""
    held = re.sub(r"(?<=\d) ", "\N{NO-BREAK SPACE}", text)
    lines = textwrap.wrap(held, width or 100, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def growth_in_percent(change: float | None) -> str:
    """Return the growth with its unit: "+12.5 %", or "x12"."""
    said = growth(change)
    return f"{said} %" if said and not said.startswith("x") else said


def growth(change: float | None) -> str:
    """By how much something grew, in percent with its sign; nothing of what was not there."""
    if change is None:
        return ""
    if abs(change) >= 10:
        return f"x{1 + change:.0f}" if change > 0 else f"{100 * change:.0f}"
    return f"{100 * change:+.1f}" if abs(change) >= 0.0005 else "0.0"
