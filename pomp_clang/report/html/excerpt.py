"""The source text of a region: its lines, with what else begins there."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pomp_clang.experiment.model import Experiment, Region

_AROUND = 2
_MOST = 60
"""Lines that are shown whole; of a longer region its ends and what begins in it."""
_HEAD, _TAIL, _BESIDE = 10, 6, 1
_LARGEST = 16 * 2**20

_ENDINGS = frozenset(
    {
        ".c", ".cc", ".cp", ".cpp", ".cxx", ".c++", ".i", ".ii",
        ".h", ".hh", ".hp", ".hpp", ".hxx", ".h++", ".inc", ".inl", ".ipp", ".tcc", ".tpp", ".def",
        ".f", ".for", ".ftn", ".fpp", ".f90", ".f95", ".f03", ".f08", ".fi",
    }
)  # fmt: skip
"""Whoever wrote an experiment chose the names in it, and whoever sends a page on sends what
it shows: no other file of the reader's gets there."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """`mark` is "begin", "end" or ""; a gap of `left_out` lines has no number."""

    number: int
    text: str
    mark: str
    regions: tuple[Region, ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The lines, or, where there are none, `why` in words; `note` is what to know of them."""

    lines: tuple[SourceLine, ...]
    why: str = ""
    note: str = ""


class Sources:
    """The files of an experiment, each read once."""

    def __init__(self, experiment: Experiment, read: bool) -> None:
        self._experiment = experiment
        self._read = read
        self._files: dict[str, tuple[list[str], str, str]] = {}

    @cached_property
    def _beginnings(self) -> dict[tuple[str, int], list[Region]]:
        beginnings: dict[tuple[str, int], list[Region]] = defaultdict(list)
        for region in self._experiment.regions:
            beginnings[region.file, region.begin_line1].append(region)
        return beginnings

    def excerpt(self, region: Region) -> Excerpt:
        if region.file not in self._files:
            self._files[region.file] = self._load(region.file)
        lines, why, note = self._files[region.file]
        last = _last(region)
        if not why and not 1 <= region.begin_line1 <= last <= len(lines):
            why = f"The source has {len(lines)} lines: it is not the one that was compiled."
        if why:
            return Excerpt((), why)
        first = max(1, region.begin_line1 - _AROUND)
        numbers = range(first, min(len(lines), last + _AROUND) + 1)
        shown_numbers = self._shown_numbers(region, numbers)
        return Excerpt(tuple(self._lines(region, lines, numbers, shown_numbers)), note=note)

    def _load(self, name: str) -> tuple[list[str], str, str]:
        if not self._read:
            return [], "The source text was left out.", ""
        path = Path(name)
        if path.suffix.lower() not in _ENDINGS:
            return (
                [],
                "The file's name is not that of a source in C, C++ or Fortran: it is not shown.",
                "",
            )
        try:
            if not path.is_absolute() and not path.exists():
                path = Path(self._experiment.directory).parent / name
            if not path.is_file():
                return [], "The source is not here.", ""
            size = path.stat().st_size
            if size > _LARGEST:
                return [], "The source is too large to be shown.", ""
            with path.open("rb") as file:
                text = file.read(size).decode("utf-8", "backslashreplace")
            changed = os.path.getmtime(path) > _started(self._experiment)
        except (OSError, ValueError) as error:
            return [], f"The source cannot be read: {getattr(error, 'strerror', error)}.", ""
        note = "The file was changed after the program started." if changed else ""
        return text.replace("\r\n", "\n").removesuffix("\n").split("\n"), "", note

    def _shown_numbers(self, region: Region, numbers: range) -> set[int]:
        if len(numbers) <= _MOST:
            return set(numbers)
        shown_numbers = {*numbers[: _AROUND + _HEAD], *numbers[-_AROUND - _TAIL :]}
        for number in numbers:
            if (region.file, number) in self._beginnings:
                shown_numbers.update(range(number - _BESIDE, number + _BESIDE + 1))
        return shown_numbers

    def _lines(
        self, region: Region, lines: list[str], numbers: range, shown_numbers: set[int]
    ) -> list[SourceLine]:
        source_lines: list[SourceLine] = []
        left_out = 0
        for number in numbers:
            if number not in shown_numbers:
                left_out += 1
                continue
            if left_out:
                source_lines.append(SourceLine(0, "", "", (), left_out))
                left_out = 0
            others = self._beginnings.get((region.file, number), ())
            beginning = tuple(other for other in others if other.id != region.id)
            mark = _mark(region, number)
            source_lines.append(SourceLine(number, lines[number - 1], mark, beginning))
        return source_lines


def _last(region: Region) -> int:
    return max(region.begin_line1, region.begin_lineN, region.end_line1, region.end_lineN)


def _mark(region: Region, number: int) -> str:
    if region.begin_line1 <= number <= region.begin_lineN:
        return "begin"
    return "end" if region.end_line1 <= number <= region.end_lineN else ""


def _started(experiment: Experiment) -> float:
    from datetime import datetime

    return datetime.fromisoformat(experiment.start).timestamp() if experiment.start else 2**62
