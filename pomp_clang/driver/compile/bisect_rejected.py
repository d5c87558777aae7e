"""Constructs to leave out of a text that the compiler rejects, though it takes the original.

First those at the lines of the errors, then a bisection. Each trial runs the whole command, so
that errors of the linker count too.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from pomp_clang.driver.compile.diagnostics import errors, first_error
from pomp_clang.driver.compile.instrumented_command import (
    CompileResult,
    CompileSetup,
    run_command,
    write_command,
)
from pomp_clang.driver.compile.rewrite_units import InstrumentedSource, rewrite_unit
from pomp_clang.driver.process.run import Outcome
from pomp_clang.driver.process.signals import STOPPED
from pomp_clang.driver.runtime.event_bitcode import EventBitcode
from pomp_clang.driver.unit.prepare import untouched
from pomp_clang.frontend.source import OffsetRanges
from pomp_clang.frontend.unit import Note, Site, UnitError, Why
from pomp_clang.record import record, replace

# The most trials by the places of errors, and by bisection.
GUIDED = 3
HALVES = 24

REFUSED = "the compiler does not take it instrumented"


@record
class Accepted:
    """The last trial, which passed if anything could be kept, and notes on the units lost."""

    result: CompileResult
    notes: tuple[Note, ...]


@record
class Suspect:
    """A construct of one of the command's units; without a site the unit as a whole."""

    unit: int
    site: Site | None


def compile_accepted(setup: CompileSetup, rejected: CompileResult) -> Accepted:
    """Compile the largest part found that the compiler takes of a rejected text.

    The first trial has all constructs, but neither inlined events nor guarded calls nor
    line marks.  Raises DriverError when the compiler cannot be run.
    """
    result = rejected
    special = any(item.unit.thread or item.unit.language == "fortran" for item in result.items)
    if setup.bitcode.path or setup.marks_lines or special:
        bitcode = EventBitcode("", "the compiler does not take it")
        setup = replace(setup, bitcode=bitcode, marks_lines=False, by_clang=False)
        items = [_unguarded(setup, item) for item in result.items]
        result = run_command(setup, items, write_command(setup, items))
        if result.passed:
            return Accepted(result, ())
    search = _Search(setup, result.items)
    outcome = result.outcome
    result = _searched(search, outcome)
    kept = [item.source for item in result.items] if result.passed else []
    notes = (
        untouched(item.path, search.reason(number, first_error(outcome)), "rejected")
        for number, item in enumerate(search.items)
        if item.source not in kept
    )
    return Accepted(result, tuple(notes))


def _unguarded(setup: CompileSetup, item: InstrumentedSource) -> InstrumentedSource:
    """Instrument a source again, without guards around the calls."""
    if not item.unit.thread:
        return item
    unit = replace(item.unit, thread="", empty=False)
    return InstrumentedSource(item.source, unit, rewrite_unit(unit, setup.rewrite))


@dataclass(slots=True)
class _Search:
    setup: CompileSetup
    items: Sequence[InstrumentedSource]
    why: dict[Suspect, str] = field(default_factory=dict)
    """constructs left out for good, with the compiler's error"""

    def suspects(self) -> list[Suspect]:
        """Return the constructs that are not yet left out, once each.

        A preprocessor may repeat lines: all constructs of one place are left out together.
        """
        suspects: list[Suspect] = []
        for number, item in enumerate(self.items):
            sites = [Suspect(number, site) for site in item.instrumented.sites]
            suspects += sites or [Suspect(number, None)]
        return [suspect for suspect in dict.fromkeys(suspects) if suspect not in self.why]

    def reason(self, number: int, default: str) -> str:
        """Return why a unit was left out."""
        causes = (why for suspect, why in self.why.items() if suspect.unit == number)
        return next(causes, default)

    def trial(self, suspects: Iterable[Suspect]) -> CompileResult:
        """Compile with these constructs instrumented and no others."""
        chosen = set(suspects)
        reduced = (self._only(number, item, chosen) for number, item in enumerate(self.items))
        items = [item for item in reduced if item is not None]
        if not items:
            return CompileResult((), None, Outcome(1))
        try:
            command = write_command(self.setup, items, quiet=True)
        except (OSError, ValueError):
            return CompileResult((), None, Outcome(1))
        return run_command(self.setup, items, command)

    def _only(
        self, number: int, item: InstrumentedSource, chosen: set[Suspect]
    ) -> InstrumentedSource | None:
        """Return the unit with the chosen constructs alone, or None if it has none of them."""
        if Suspect(number, None) in chosen:
            return item
        others = [site for site in item.instrumented.sites if Suspect(number, site) not in chosen]
        if len(others) == len(item.instrumented.sites):
            return None
        if not others:
            return item
        causes = {site: self.why.get(Suspect(number, site), "not tried") for site in others}
        refused = {site: Why(f"{REFUSED}: {cause}", "rejected") for site, cause in causes.items()}
        try:
            instrumented = self.setup.rewrite(item.unit, refused)
        except (UnitError, OSError, UnicodeError):
            return None
        if not instrumented.replaces:
            return None
        return InstrumentedSource(item.source, item.unit, instrumented, refused)


def _searched(search: _Search, outcome: Outcome) -> CompileResult:
    """Leave out the constructs at the places of errors, a few times over, then bisect."""
    if b"[-Werror" in outcome.stderr:
        # The user's own text compiles: its warnings were shown, and were no errors.
        result = search.trial(search.suspects())
        if result.passed or _was_stopped(result):
            return result
        outcome = result.outcome
    why = first_error(outcome)
    for _ in range(GUIDED):
        blamed = _blamed(outcome, search.suspects())
        if not blamed:
            break
        search.why |= blamed
        result = search.trial(search.suspects())
        if result.passed or _was_stopped(result):
            return result
        outcome = result.outcome
        why = first_error(outcome) if result.command else why
    return _bisected(search, why)


def _bisected(search: _Search, why: str) -> CompileResult:
    """Compile the constructs that pass when added half by half; the rest is left out."""
    kept: list[Suspect] = []
    queue = _by_unit(search.suspects())
    if len(queue) == 1:  # as a whole it has been refused
        queue = _halves(queue[0])
    for _ in range(HALVES):
        if not queue:
            break
        group = queue.pop(0)
        result = search.trial([*kept, *group])
        if _was_stopped(result):
            return result
        if result.passed:
            kept += group
        elif len(group) == 1:
            search.why[group[0]] = first_error(result.outcome)
        else:
            queue[:0] = _halves(group)
    for group in queue:
        search.why |= dict.fromkeys(group, why)
    # Once more: the last trial may have failed, and the notes need the reason of each construct.
    return search.trial(kept)


def _halves(group: list[Suspect]) -> list[list[Suspect]]:
    middle = len(group) // 2
    return [group[:middle], group[middle:]] if middle else []


def _by_unit(suspects: Sequence[Suspect]) -> list[list[Suspect]]:
    groups: dict[int, list[Suspect]] = {}
    for suspect in suspects:
        groups.setdefault(suspect.unit, []).append(suspect)
    return list(groups.values())


def _was_stopped(result: CompileResult) -> bool:
    return -result.outcome.status in STOPPED


def _blamed(outcome: Outcome, suspects: Sequence[Suspect]) -> dict[Suspect, str]:
    """Return the constructs with an error, and the first error of each.

    An error belongs to the constructs whose changed lines it names, or else to the innermost
    construct around it.
    """
    blamed: dict[Suspect, str] = {}
    sites = _Sites(suspects)
    for file, line, error in errors(outcome):
        around = sites.around(file, line)
        changed = [
            suspect
            for suspect, site in around
            if site.line <= line <= site.directive_end or line == site.last
        ]
        for suspect in changed or [suspect for suspect, _ in around[-1:]]:
            blamed.setdefault(suspect, error)
    return blamed


class _Sites:
    """Constructs that have a site, found by a line of their file."""

    def __init__(self, suspects: Sequence[Suspect]) -> None:
        self._by_file: dict[str, list[tuple[Suspect, Site]]] = {}
        for suspect in suspects:
            if suspect.site is not None:
                path = _real(suspect.site.file)
                self._by_file.setdefault(path, []).append((suspect, suspect.site))
        self._lines = {
            path: OffsetRanges((site.line, site.last + 1) for _, site in sites)
            for path, sites in self._by_file.items()
        }

    def around(self, file: str, line: int) -> list[tuple[Suspect, Site]]:
        """Return the constructs that contain a line, outermost first."""
        path = _real(file)
        if path not in self._lines:
            return []
        return [self._by_file[path][number] for number in self._lines[path].holding(line)]


@lru_cache
def _real(path: str) -> str:
    return os.path.realpath(path)
