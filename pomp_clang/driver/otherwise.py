"""What is counted otherwise instrumented is left as it is where coverage was asked for.

The notes of a build that is done are held against those of the user's own command.  Where a
function has other blocks the constructs in it are left out and the rest is compiled again,
until every function counts what it counts natively.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence

from pomp_clang.driver import attempt as attempts
from pomp_clang.driver.attempt import Attempt, Build, Replaced, Trial
from pomp_clang.driver.direct import direct
from pomp_clang.driver.errors import DriverError
from pomp_clang.driver.prepare import untouched
from pomp_clang.driver.process import Outcome
from pomp_clang.frontend.tree import UnitError
from pomp_clang.frontend.unit import Note, Site, Why
from pomp_clang.openmp.coverage import Coverage
from pomp_clang.record import record, replace

# Rounds in which what differs is left out, before all of it is.
GUIDED = 5

_WHY = Why("its function would not be counted as it is natively", "coverage")


@record
class Otherwise:
    """Lines of a file that a function has which is counted otherwise; those that it has
    natively alone are of what the compiler puts in its place there."""

    file: str
    lines: frozenset[int]
    lost: frozenset[int] = frozenset()


def settled(build: Build, trial: Trial) -> tuple[Trial, list[Note]]:
    """The trial without what is counted otherwise, and what is to be said of units that
    are as they were; without a command if all of them are.

    Raises DriverError when the compiler cannot be run.
    """
    if not any(item.unit.coverage & Coverage.LINES for item in trial.items):
        return trial, []
    said: list[Note] = []
    left = GUIDED
    while trial.command is not None:
        try:
            found = _differing(build, trial.command)
            if not found:
                return trial, said
            kept: list[Replaced] = []
            for item, sites in _blamed(trial.items, found if left else []):
                made = _without(build, item, sites) if sites else item
                if made.made.replaces and made.made.sites:
                    kept.append(made)
                else:
                    said += made.made.notes
            left = max(left - 1, 0)
            trial = _again(build, kept)
        except (OSError, ValueError, DriverError, UnitError) as error:
            return _untouched(trial, said, getattr(error, "message", str(error)))
        if trial.command is not None and trial.outcome.status:
            return _untouched(trial, said, attempts.first_error(trial.outcome))
    return trial, said


def _differing(build: Build, attempt: Attempt) -> list[Otherwise]:
    own = direct(build.view, build.settings)
    if build.toolchain.family == "clang":
        from pomp_clang.driver import clang_notes

        return clang_notes.keep_native(attempt.command, own, build.folder, build.stdin)
    from pomp_clang.driver import gcc_notes

    return gcc_notes.keep_native(attempt.command, own, build.folder, build.stdin)


def _blamed(
    items: Sequence[Replaced], found: Sequence[Otherwise]
) -> Iterator[tuple[Replaced, list[Site]]]:
    """What is to be left out of each: measured functions, then the constructs with a line of their own that a function
    has, else those around one, else all."""
    lines: dict[str, set[int]] = {}
    lost: dict[str, set[int]] = {}
    for each in found:
        file = os.path.realpath(each.file)
        lines.setdefault(file, set()).update(each.lines)
        lost.setdefault(file, set()).update(each.lost)
    for known, how in ((lost, _around), (lines, _function), (lines, _own), (lines, _around)):
        blamed = [[site for site in each.made.sites if _is_on(site, known, how)] for each in items]
        if any(blamed):
            break
    else:
        blamed = [list(each.made.sites) for each in items]
    yield from zip(items, blamed, strict=True)


def _is_on(site: Site, lines: Mapping[str, set[int]], how: Callable[[Site], range]) -> bool:
    return not lines.get(os.path.realpath(site.file), set()).isdisjoint(how(site))


def _function(site: Site) -> range:
    """A measured function has blocks of its own: what is in it may be none the worse."""
    return range(site.line, site.line + (site.kind == "function"))


def _own(site: Site) -> range:
    return range(site.line, site.directive_end + 1)


def _around(site: Site) -> range:
    return range(site.line, site.last + 1)


def _without(build: Build, item: Replaced, sites: Sequence[Site]) -> Replaced:
    refused: Mapping[Site, Why] = {**item.refused, **dict.fromkeys(sites, _WHY)}
    made = build.rewrite(item.unit, refused)
    return Replaced(item.source, item.unit, made, refused)


def _again(build: Build, items: Sequence[Replaced]) -> Trial:
    """Compile with these texts."""
    if not items:
        return Trial((), None, Outcome(1))
    command = attempts.prepare(replace(build, regions={}), items, quiet=True)
    if any(Coverage.REGIONS in item.unit.coverage for item in items):
        build = attempts.with_regions(build, command)
        command = attempts.prepare(build, items, quiet=True)
    return Trial(tuple(items), command, attempts.run(build, command))


def _untouched(trial: Trial, said: list[Note], why: str) -> tuple[Trial, list[Note]]:
    notes = [untouched(item.source.input.path, why, "coverage") for item in trial.items]
    return Trial((), None, trial.outcome), [*said, *notes]
