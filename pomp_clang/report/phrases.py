"""Wording of regions, numbers, durations, shares and the parts of all threads' time, the same in
all reports."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence

from pomp_clang.analysis.properties import lasting
from pomp_clang.experiment.model import Region
from pomp_clang.report.terminal import printable
from pomp_clang.shared_dataclass import dataclass

_UNNAMED = ("critical", "region", "function")


def what(region: Region, running: bool = False) -> str:
    """Name a region by kind and name: "critical (queue)", "function main", "task (running)"."""
    if running:
        return f"{what(region)} (running)"
    if region.kind in ("function", "region") and region.sub_name:
        return printable(f"{region.kind} {region.sub_name}")
    if region.sub_name:
        return printable(f"{region.kind} ({region.sub_name})")
    return printable(f"{region.kind} (unnamed)" if region.kind in _UNNAMED else region.kind)


def place(region: Region) -> str:
    """Name file and lines, and the place of inclusion: "main.c:20-23", "t.h:5 (from main.c:30)"; a
    kernel that a library names has no place."""
    if not region.file:
        return ""
    last = max(region.begin_line1, region.end_line1, region.end_lineN)
    lines = (
        str(region.begin_line1) if last == region.begin_line1 else f"{region.begin_line1}-{last}"
    )
    return printable(f"{region.file}:{lines}{inclusion(region)}")


def inclusion(region: Region) -> str:
    """Name the inclusion within a function that has the region, or return ""."""
    places = " ".join(f"from {file}:{line}" for file, line in region.included_from)
    return f" ({places})" if places else ""


def where(region: Region | None) -> str:
    """Name a region by id, kind, name and place; None is the program as a whole."""
    if region is None:
        return "the program"
    return f"{region.id}  {what(region)}  {place(region)}".rstrip()


def thread_count(threads: int, at_once: int) -> str:
    """Return a number of threads, and that of those which are in teams at a time if it is smaller."""
    text = number(threads, "thread")
    return f"{text} ({at_once} at a time)" if at_once < threads else text


def number(count: int, noun: str) -> str:
    if count == 1:
        return f"{count} {noun}"
    return f"{count} {noun}es" if noun.endswith("s") else f"{count} {noun}s"


AFTER_LAST_REGION = "after the last parallel region"

_SHOWN_PARTS = 3
_LEAST_PART = 0.01
"""Share of a time from which a part of it is named."""


def longest_parts(parts: Sequence[tuple[float, str]]) -> str:
    """Return a sentence with the longest parts of a time, of their seconds and places, the longest
    first; "" without any."""
    least = _LEAST_PART * sum(seconds for seconds, _ in parts)
    longest = [
        f"{lasting(seconds)} {place}" for seconds, place in parts[:_SHOWN_PARTS] if seconds >= least
    ]
    if not longest:
        return ""
    return f"The longest part{'s' if len(longest) > 1 else ''}: {', '.join(longest)}."


def with_ascii_units(text: str) -> str:
    """Return the text with "us" for "µs", as the contracts of JSON and CSV write durations and
    as terminals without UTF-8 can show them.  Names that contain a µ stay as they are.

    >>> with_ascii_units("It takes 1.20 µs in µs.c")
    'It takes 1.20 us in µs.c'
    """
    return re.sub(r"(?<=\d )µs\b", "us", text)


def decimals_for(values: Iterable[float], digits: int = 7) -> int:
    """Return the number of decimals that gives the largest value `digits` digits in all."""
    return max(0, digits - len(str(int(max(values, default=0.0)))))


def seconds(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}"


def until(duration: str, complete: bool) -> str:
    """Return a duration, marked as incomplete if the program ended early."""
    return duration if complete else f"{duration} (incomplete)"


def signed(value: float, decimals: int) -> str:
    """Format a difference with its sign; one that is rounded to zero has none."""
    text = f"{value:+.{decimals}f}"
    return text if text.strip("+-0.") else text[1:]


def percent(share: float) -> str:
    """Format a share in percent with one decimal; "<0.1" if it is smaller but not zero."""
    if 0 < share < 0.0005:
        return "<0.1"
    return f"{100 * share:.1f}"


def fraction(value: float | None) -> str:
    """Format a part of one; "" for None, ">1" above one."""
    if value is None:
        return ""
    return f"{value:.3f}" if value <= 1 else ">1"


def wrapped(text: str, width: int | None, indent: str = "  ") -> list[str]:
    """Wrap the text at `width`; a number and its unit stay together."""
    protected = re.sub(r"(?<=\d) ", "\N{NO-BREAK SPACE}", text)
    lines = textwrap.wrap(protected, width or 100, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def growth_in_percent(change: float | None) -> str:
    """Return the growth with its unit: "+12.5 %", or "x12"."""
    text = growth(change)
    return f"{text} %" if text and not text.startswith("x") else text


def growth(change: float | None) -> str:
    """Format a relative change in percent with its sign; "" if there is nothing to compare with."""
    if change is None:
        return ""
    if abs(change) >= 10:
        return f"x{1 + change:.0f}" if change > 0 else f"{100 * change:.0f}"
    return f"{100 * change:+.1f}" if abs(change) >= 0.0005 else "0.0"


_LEAST_CUT = 0.45
"""The share of the room that a text cut within a sentence fills at least."""

_ENDS = (r"\.(?= )", r"[;:](?= )", r",(?= (although|which|after|because) )")
"""Places where a text can end and stays true, the best first."""

_ALTERNATIVES = (r",(?= )", r" (?=or )")
"""Places between the alternatives of advice."""


def brief(text: str, room: int, *, is_advice: bool = False, ellipsis: str = "..") -> str:
    """Return as much of the text as fits on a line, up to the end of a sentence or of a clause.

    Advice may also end before a further alternative.

    >>> brief("Merge them, or move the region out of a loop. Else wait.", 48)
    'Merge them, or move the region out of a loop.'
    >>> brief("Merge the regions, or move them out.", 20, is_advice=True)
    'Merge the regions.'
    >>> brief("Map it once: target data map(to: a), or target enter data.", 40, is_advice=True)
    'Map it once: target data map(to: a).'
    """
    if len(text) <= room:
        return text
    for end in (*_ENDS, *(_ALTERNATIVES if is_advice else ())):
        cuts = [
            match.start()
            for match in re.finditer(end, text)
            if match.start() < room and _closes_brackets(text[: match.start()])
        ]
        if cuts and (end == _ENDS[0] or cuts[-1] >= _LEAST_CUT * room):
            return text[: cuts[-1]].rstrip(",") + "."
    return text[: max(0, room - len(ellipsis))].rstrip() + ellipsis


def _closes_brackets(text: str) -> bool:
    return text.count("(") == text.count(")")


@dataclass(frozen=True, slots=True)
class TimePart:
    """`key` is its name in `Breakdown.parts`, `style` how it is drawn."""

    key: str
    name: str
    meaning: str

    @property
    def style(self) -> str:
        return self.key.lower()


TIME_PARTS = (
    TimePart("Work", "Work", "in parallel regions, tasks included"),
    TimePart("Serial", "Serial", "the initial thread outside parallel regions"),
    TimePart(
        "NotRun", "Not running", "threads had work but no processor: asleep, or oversubscription"
    ),
    TimePart(
        "Target", "Target", "in target constructs: a device or the host runs them, or data moves"
    ),
    TimePart("Sync", "Synchronization", "threads wait for a lock, a turn, a barrier, or tasks"),
    TimePart("Events", "Measurement", "events of pomp-clang at atomics, flushes and barriers"),
    TimePart("Imbal", "Load imbalance", "threads had unequal work and wait for the last one"),
    TimePart("Limpar", "Limited parallelism", "only some of the threads had work"),
    TimePart("Mgmt", "Management", "the OpenMP runtime starts teams and distributes work"),
    TimePart("MPI", "MPI", "in MPI calls, with MPI_Init and MPI_Finalize"),
    TimePart("Idle", "Idle", "threads without a team have nothing to do"),
)
"""The parts in the order they are shown."""

_SOMETIMES = ("NotRun", "Target", "Events", "MPI")
"""Keys of parts that are shown only if a run has any."""

GOOD_PARTS = ("Work", "Serial", "Target")
"""Keys of parts that are no loss."""


def shown_parts(*times: Mapping[str, float]) -> tuple[TimePart, ...]:
    """Select the parts to show for the times of these runs."""
    return tuple(
        part
        for part in TIME_PARTS
        if part.key not in _SOMETIMES or any(values[part.key] for values in times)
    )
