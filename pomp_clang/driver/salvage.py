"""An instrumented command that the compiler refuses, though it takes the user's own:
which constructs are to be left out for the others to stay.

First those where the errors stand, then by halves; every trial is the whole
command, so that what only the linker refuses is found too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from pomp_clang.driver import attempt as attempts
from pomp_clang.driver.attempt import Build, Replaced, Trial
from pomp_clang.driver.process import Outcome
from pomp_clang.driver.signals import TOLD_TO_END
from pomp_clang.frontend.intervals import Intervals
from pomp_clang.frontend.tree import UnitError
from pomp_clang.frontend.unit import Site, Why
from pomp_clang.record import record

# Trials by the places of errors, and by halves.
GUIDED = 3
HALVES = 24

REFUSED = "the compiler does not take it instrumented"

_ERROR = re.compile(r"^(.+?):(\d+):(?:\d+:)? (?:fatal )?error: (.*)", re.M)


@record
class Part:
    """A construct of one of the command's units; without a site the unit as a whole."""

    unit: int
    site: Site | None


@dataclass(slots=True)
class _Search:
    build: Build
    items: Sequence[Replaced]
    why: dict[Part, str] = field(default_factory=dict)
    """what is left out for good, and what the compiler said"""

    def parts(self) -> list[Part]:
        found: list[Part] = []
        for number, item in enumerate(self.items):
            found += [Part(number, site) for site in item.made.sites] or [Part(number, None)]
        return [part for part in found if part not in self.why]

    def reason(self, number: int, otherwise: str) -> str:
        """Why a unit was left out."""
        return next((why for part, why in self.why.items() if part.unit == number), otherwise)

    def trial(self, parts: Iterable[Part]) -> Trial:
        """Compile with these parts instrumented and no others."""
        chosen = set(parts)
        items = [
            made
            for number, item in enumerate(self.items)
            if (made := self._only(number, item, chosen)) is not None
        ]
        if not items:
            return Trial((), None, Outcome(1))
        try:
            command = attempts.prepare(self.build, items, quiet=True)
        except (OSError, ValueError):
            return Trial((), None, Outcome(1))
        return Trial(tuple(items), command, attempts.run(self.build, command))

    def _only(self, number: int, item: Replaced, chosen: set[Part]) -> Replaced | None:
        """The unit with the chosen constructs; None without any."""
        if Part(number, None) in chosen:
            return item
        others = [site for site in item.made.sites if Part(number, site) not in chosen]
        if len(others) == len(item.made.sites):
            return None
        if not others:
            return item
        refused = {
            site: Why(f"{REFUSED}: {self.why.get(Part(number, site), 'not tried')}", "rejected")
            for site in others
        }
        try:
            made = self.build.rewrite(item.unit, refused)
        except (UnitError, OSError, UnicodeError):
            return None
        return Replaced(item.source, item.unit, made, refused) if made.replaces else None


@record
class Salvaged:
    """The last trial, which passed if anything could be saved, and for each of the
    command's units that is not among its items why."""

    trial: Trial
    lost: tuple[tuple[Replaced, str], ...]


def salvage(build: Build, items: Sequence[Replaced], outcome: Outcome) -> Salvaged:
    """The largest part found that compiles.

    Raises DriverError when the compiler cannot be run.
    """
    search = _Search(build, items)
    trial = _searched(search, outcome)
    saved = [item.source for item in trial.items] if trial.passed else []
    return Salvaged(
        trial,
        tuple(
            (item, search.reason(number, attempts.first_error(outcome)))
            for number, item in enumerate(items)
            if item.source not in saved
        ),
    )


def _searched(search: _Search, outcome: Outcome) -> Trial:
    if b"[-Werror" in outcome.stderr:
        # Warnings of the user's text have been shown, and were no errors.
        trial = search.trial(search.parts())
        if trial.passed or _ended(trial):
            return trial
        outcome = trial.outcome
    why = attempts.first_error(outcome)
    for _ in range(GUIDED):
        blamed = _blamed(outcome, search.parts())
        if not blamed:
            break
        search.why |= blamed
        trial = search.trial(search.parts())
        if trial.passed or _ended(trial):
            return trial
        outcome = trial.outcome
        why = attempts.first_error(outcome) if trial.command else why
    return _by_halves(search, why)


def _by_halves(search: _Search, why: str) -> Trial:
    kept: list[Part] = []
    queue = _by_unit(search.parts())
    if len(queue) == 1:  # as a whole it has been refused
        queue = _halves(queue[0])
    for _ in range(HALVES):
        if not queue:
            break
        group = queue.pop(0)
        trial = search.trial([*kept, *group])
        if _ended(trial):
            return trial
        if trial.passed:
            kept += group
        elif len(group) == 1:
            search.why[group[0]] = attempts.first_error(trial.outcome)
        else:
            queue[:0] = _halves(group)
    for group in queue:
        search.why |= dict.fromkeys(group, why)
    # Once more: the last trial may have failed, and the notes say why each was left out.
    return search.trial(kept)


def _halves(group: list[Part]) -> list[list[Part]]:
    middle = len(group) // 2
    return [group[:middle], group[middle:]] if middle else []


def _by_unit(parts: Sequence[Part]) -> list[list[Part]]:
    groups: dict[int, list[Part]] = {}
    for part in parts:
        groups.setdefault(part.unit, []).append(part)
    return list(groups.values())


def _ended(trial: Trial) -> bool:
    return -trial.outcome.status in TOLD_TO_END


def _blamed(outcome: Outcome, parts: Sequence[Part]) -> dict[Part, str]:
    """The constructs on whose changed lines an error stands, else the innermost around it;
    each with that error."""
    found: dict[Part, str] = {}
    sites = _Sites(parts)
    for file, number, error in _ERROR.findall(attempts.plain_text(outcome)):
        line = int(number)
        around = sites.around(file, line)
        changed = [
            part
            for part, site in around
            if site.line <= line <= site.directive_end or line == site.last
        ]
        for part in changed or [part for part, _ in around[-1:]]:
            found.setdefault(part, error)
    return found


class _Sites:
    """Parts that have a site, found by a line of their file."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts: dict[str, list[tuple[Part, Site]]] = {}
        for part in parts:
            if part.site is not None:
                self._parts.setdefault(_real(part.site.file), []).append((part, part.site))
        self._lines = {
            file: Intervals((site.line, site.last + 1) for _, site in own)
            for file, own in self._parts.items()
        }

    def around(self, file: str, line: int) -> list[tuple[Part, Site]]:
        """Return those that hold a line, outermost first."""
        real = _real(file)
        if real not in self._lines:
            return []
        return [self._parts[real][number] for number in self._lines[real].holding(line)]


@lru_cache
def _real(path: str) -> str:
    return os.path.realpath(path)
