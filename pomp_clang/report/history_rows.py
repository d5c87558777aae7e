"""The rows of a history that are shown, and phrases on their changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pomp_clang.analysis.comparison.history import ChangePoint, ProgramHistory, RegionHistory
from pomp_clang.report.comparison_phrases import comparison_notes
from pomp_clang.report.output import ReportError
from pomp_clang.report.phrases import growth_in_percent, number, place, what
from pomp_clang.report.run_conditions import ConditionKind, RunCondition

UNCONFIRMED = "?"
"""The mark of a change that later runs have yet to confirm."""

MARKS = (
    "^ marks the run from which on the cost is another one, beyond the noise of the runs before and "
    f"after; {UNCONFIRMED} marks the last runs where they are far off, until more confirm it."
)


def history_notes(history: ProgramHistory) -> list[RunCondition]:
    """Return notes on the runs: too few, different programs and threads, then the conditions of
    runs, each kind of condition once."""
    notes = [RunCondition(ConditionKind.OTHER, few)] if (few := too_few(history)) else []
    threads = sorted({run.threads for run in history.runs})
    if len(threads) > 1:
        text = f"The runs have different numbers of threads: {', '.join(map(str, threads))}."
        notes.append(RunCondition(ConditionKind.OTHER, text))
    by_kind: dict[ConditionKind, list[tuple[int, RunCondition]]] = defaultdict(list)
    labeled = [(f"Run {number_ + 1}", run) for number_, run in enumerate(history.runs)]
    for number_, run in enumerate(labeled, 1):
        for note in comparison_notes([labeled[0], run] if number_ > 1 else [run]):
            if note.text.startswith(f"{run[0]}: ") or note.condition in _OF_TWO:
                by_kind[note.condition].append((number_, note))
    for (_, first), *others in sorted(by_kind.values(), key=_is_of_one):
        similar_runs = ranges([number_ for number_, _ in others])
        plural = "s" if len(others) > 1 else ""
        more = f" Similar: run{plural} {similar_runs}." if others else ""
        notes.append(replace(first, text=first.text + more))
    return notes


_OF_TWO = (ConditionKind.DIFFERENT_PROGRAMS,)
"""Conditions of a run and the first one."""


def _is_of_one(notes: list[tuple[int, RunCondition]]) -> bool:
    """Return a sort key that puts conditions of two runs first."""
    return notes[0][1].condition not in _OF_TWO


def ranges(numbers: Sequence[int]) -> str:
    """Write rising numbers with their ranges.

    >>> ranges([2, 3, 4, 7, 9, 10])
    '2-4, 7, 9-10'
    """
    parts: list[tuple[int, int]] = []
    for value in numbers:
        if parts and parts[-1][1] == value - 1:
            parts[-1] = parts[-1][0], value
        else:
            parts.append((value, value))
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def selected_regions(
    history: ProgramHistory, wanted_texts: Sequence[str]
) -> tuple[RegionHistory, ...]:
    """Return the regions whose id, kind, name, function or place has one of the texts; all of them
    without texts. ReportError if there is none."""
    if not wanted_texts:
        return history.regions
    rows = tuple(
        row for row in history.regions if any(text in _words(row) for text in wanted_texts)
    )
    if not rows:
        texts = "' or '".join(wanted_texts)
        raise ReportError(f"no region has '{texts}' in its id, kind, name, function or place")
    return rows


def _words(row: RegionHistory) -> str:
    region = row.region
    return "\n".join((region.id, what(region), region.function, place(region)))


def all_changes(
    history: ProgramHistory, regions: Sequence[RegionHistory]
) -> Iterator[tuple[RegionHistory | None, ChangePoint]]:
    """Yield the changes of the duration (None) and of regions, those with the most seconds first."""
    changes: list[tuple[RegionHistory | None, ChangePoint]] = [
        (None, change) for change in history.changes
    ]
    changes += [(row, change) for row in regions for change in row.changes]
    changes.sort(key=lambda pair: (pair[0] is not None, -abs(pair[1].after - pair[1].before)))
    yield from changes


def change_text(change: ChangePoint) -> str:
    """Return the growth and the number of the run, as in `+35.2 % at 12`."""
    growth = growth_in_percent(change.growth) or "new"
    return f"{growth} at {change.at + 1}{'' if change.is_confirmed else UNCONFIRMED}"


def marks(changes: Sequence[ChangePoint], runs: int) -> str:
    """Return a mark below each run at which the cost changed, and blanks below the others."""
    line = [" "] * runs
    for change in changes:
        line[change.at] = "^" if change.is_confirmed else UNCONFIRMED
    return "".join(line).rstrip()


def role_of(change: ChangePoint) -> str:
    if not change.is_confirmed:
        return "warm"
    return "hot" if change.after > change.before else "good"


def too_few(history: ProgramHistory) -> str:
    """Return a note if there are too few runs to find a change at all, else ""."""
    count = len(history.runs)
    if count >= FEWEST_RUNS:
        return ""
    return (
        f"{number(count, 'run')}: a change is found among {FEWEST_RUNS} runs or more; see diff for "
        "repeated runs of two builds."
    )


FEWEST_RUNS = 10
"""The number of runs among which a change can be beyond the noise."""
