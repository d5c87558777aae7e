"""The findings of a cube: each cause at each call path, ranked by what it is worth to look at, and
their changes from one run to another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pomp_clang.analysis.management_property_texts import TEAM_STARTED_ONCE
from pomp_clang.analysis.overheads.off_processor import NO_WAITS, ProcessorWaits
from pomp_clang.analysis.properties.limited_parallelism import idle_sentence
from pomp_clang.causes.cube.algebra import aligned
from pomp_clang.causes.cube.cube import Cube
from pomp_clang.causes.cube.instance_statistics import Statistics
from pomp_clang.causes.findings.finding import (
    Finding,
    is_wait_for_kernels,
    reason_at_construct,
    row_of,
    tasks_of,
)
from pomp_clang.causes.findings.one_cause import of_one_cause
from pomp_clang.causes.properties.threads import IdleThreads
from pomp_clang.causes.remedies import RemedyPrediction
from pomp_clang.causes.run.run import Cells
from pomp_clang.causes.run.serial_parts import MainThreads
from pomp_clang.causes.timeline.location_timeline import Flags
from pomp_clang.mpi.function import BEGIN_AND_END
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.model import Ints

Gain = Callable[[Finding, float], float | None]
"""Predicts the gain of a finding; the second argument is the share of findings done before."""

Try = Callable[[Finding], tuple[RemedyPrediction, ...]]
"""Tries the remedies of a finding."""

_FIRST_TEAM = replace(
    TEAM_STARTED_ONCE,
    description="The program's first region starts the threads: nothing is to be gained.",
    advice="",
)

_STATEMENTS = 500
"""Statements of a property that are considered; many small ones may be one finding."""

_PARTS = 8
"""Parts of a finding whose gains are predicted; the others gain in proportion."""

_TRIED = 2
"""Parts of a finding whose remedies are tried."""

_CONSIDERED = 2
"""Gains are predicted for this multiple of the shown findings, before these are ranked."""


_BESIDE_DEVICE = ("Idle During Target",)
"""Properties that say nothing where the processors run the kernels."""

_BESIDE_UNMEASURED = ("Idle Threads",)
"""Properties that say nothing where threads are in a team whose region is not measured."""


def findings(
    cube: Cube,
    limit: int | None = None,
    gain: Gain | None = None,
    remedies: Try | None = None,
    processors: ProcessorWaits = NO_WAITS,
    main: MainThreads | None = None,
    least: float = 0.0,
) -> list[Finding]:
    """Return at most `limit` findings of a cube, ranked by `worth`, with the remedies of each.
    `processors` are the waits for a processor in the run, and `main` the main threads, by which serial time is named.
    Findings may be left out that take less than the share `least` of the threads' time and gain less
    than that of the run time."""
    considered = None if limit is None else limit * _CONSIDERED
    is_actionable = _are_actionable(cube)
    statement = _statements(cube)
    ranked = [
        finding
        for metric, severity in severities_without_parts(cube)
        if not (processors.run_kernels and cube.metrics[metric].name in _BESIDE_DEVICE)
        if not (processors.run_unmeasured and cube.metrics[metric].name in _BESIDE_UNMEASURED)
        for finding in _at_statements(
            metric, severity * is_actionable[:, None], statement, _STATEMENTS
        )
    ]
    ranked = of_one_cause(cube, ranked, tasks_of(cube), processors.use)
    if gain is not None:
        ranked = ranked[:considered]
        if limit is not None and len(ranked) <= limit:
            ranked = [finding for finding in ranked if _may_reach(cube, finding, least)]
        ranked = _by_worth(cube, ranked, gain, limit)
    ranked = [
        replace(
            _with_instances(cube, finding), processors=processors, reason=_reason(cube, finding)
        )
        for finding in ranked[:limit]
    ]
    if main is not None:
        ranked = [_with_serial(cube, finding, main) for finding in ranked]
        first = main.first_regions()
        ranked = [_as_first_team(cube, f) if f.path in first else f for f in ranked]
    return [_with_remedies(finding, remedies) for finding in ranked] if remedies else ranked


def _as_first_team(cube: Cube, finding: Finding) -> Finding:
    """Return the finding at a program's first region; that of its only team says that it starts the
    threads."""
    is_once = row_of(cube, finding) is TEAM_STARTED_ONCE
    return (
        replace(finding, text=_FIRST_TEAM, reason=_FIRST_TEAM.description, gain=None)
        if is_once
        else finding
    )


def _with_serial(cube: Cube, finding: Finding, main: MainThreads) -> Finding:
    """Name the parts of the serial time in which threads are idle; other findings stay as they are."""
    if cube.metrics[finding.metric].name != IdleThreads.name or finding.parts:
        return finding
    parts = main.serial_parts([path for path, _ in finding.paths])
    if finding.path or len({thread.process for thread in cube.threads}) > 1:
        return replace(finding, serial=parts)
    alone = sum(seconds for _, seconds in parts)
    return replace(finding, serial=parts, reason=idle_sentence(alone, cube.duration))


def _reason(cube: Cube, finding: Finding) -> str:
    """Return the sentence of a finding in place of its property's, "" if that one fits."""
    if not finding.text and is_wait_for_kernels(cube, finding.metric, finding.path):
        return "Threads wait here for target constructs with nowait."
    if not finding.reason and not finding.text:
        return reason_at_construct(cube, finding.metric, finding.path)
    return finding.reason


def _by_worth(cube: Cube, findings_: list[Finding], gain: Gain, limit: int | None) -> list[Finding]:
    """Return the findings with their predicted gains, ranked by `worth`. Findings that are behind
    the first `limit` whatever they gain are left out without a prediction."""
    most = [_most_worth(cube, finding) for finding in findings_]
    predicted: dict[int, Finding] = {}
    for number in sorted(range(len(findings_)), key=lambda number: -most[number]):
        worths = sorted((worth(cube, finding) for finding in predicted.values()), reverse=True)
        if limit is not None and len(worths) >= limit and most[number] < worths[limit - 1]:
            break
        share = len(predicted) / len(findings_)
        predicted[number] = _with_gain(findings_[number], gain, share)
    ranked = [predicted[number] for number in sorted(predicted)]
    return sorted(ranked, key=lambda finding: (-worth(cube, finding), finding.metric, finding.path))


_ROUNDING = 1 + 1e-9
"""More than the rounding error of sums of parts' gains."""


def _most_gain(finding: Finding) -> float:
    """Return an upper bound of a finding's gain, which exceeds the severity only by a remedy."""
    return _ROUNDING * max([finding.severity, *(part.severity for part in finding.parts)])


def _most_worth(cube: Cube, finding: Finding) -> float:
    """Return an upper bound of a finding's `worth`."""
    return worth(cube, replace(finding, gain=_most_gain(finding)))


def _may_reach(cube: Cube, finding: Finding, least: float) -> bool:
    """Return False if a finding takes and gains less than a share of the time, also by remedies."""
    has_remedies_together = bool(finding.parts) and not finding.adds
    return has_remedies_together or _most_gain(finding) >= least * min(cube.duration, cube.reserved)


def _with_gain(finding: Finding, gain: Gain, progress: float) -> Finding:
    """Predict the gain of a finding. Some parts' gains add up, those of one wait do not."""
    if not finding.parts:
        return replace(finding, gain=_at_most(finding, gain(finding, progress)))
    predicted = [
        replace(part, gain=_at_most(part, gain(part, progress))) for part in finding.parts[:_PARTS]
    ]
    known = [part.gain for part in predicted if part.gain is not None]
    parts = (*predicted, *finding.parts[_PARTS:])
    if not known:
        return replace(finding, parts=parts)
    if not finding.adds:
        return replace(finding, parts=parts, gain=max(known))
    asked_for = sum(part.severity for part in predicted if part.gain is not None)
    return replace(finding, parts=parts, gain=sum(known) * finding.severity / asked_for)


def _at_most(finding: Finding, gain: float | None) -> float | None:
    """Return the gain, limited to the severity over all threads: the end of a wait saves no more."""
    return None if gain is None else min(gain, finding.severity)


def _with_remedies(finding: Finding, remedies: Try) -> Finding:
    """Predict the remedies of a finding, of the costliest parts if it has parts; the best come first.

    One that ends parts together may save more than the end of each alone.
    """
    if not finding.parts:
        return replace(finding, remedies=remedies(finding))
    changes = {
        remedy.change: remedy for part in finding.parts[:_TRIED] for remedy in remedies(part)
    }
    ranked = tuple(sorted(changes.values(), key=lambda remedy: remedy.seconds))
    gain = finding.gain
    if ranked and gain is not None and not finding.adds:
        gain = max(gain, ranked[0].gain)
    return replace(finding, remedies=ranked, gain=gain)


def worth(cube: Cube, finding: Finding) -> float:
    """Return the wall seconds by which findings are ranked in every output.

    They are the mean of the predicted gain and of the severity of one thread. The latter would be
    the gain if all threads went on sooner, and it stands for a gain that is not known. So neither a
    large severity with no gain nor an unknown gain falls behind a negligible finding.
    """
    each_thread = finding.severity / max(1, len(cube.threads))
    gain = each_thread if finding.gain is None else finding.gain
    return (gain + each_thread) / 2


def _with_instances(cube: Cube, finding: Finding) -> Finding:
    at = finding.metric, finding.path
    return replace(finding, instances=cube.worst(*at), statistics=cube.statistics(*at))


def _statements(cube: Cube) -> Ints:
    """Return the number of each call path's statement: that of the first path that leads to it."""
    first: dict[tuple[str, str, str, int, bool], int] = {}
    numbers = [
        first.setdefault((place.kind, place.name, place.file, place.line, place.task), path)
        for path, place in enumerate(cube.paths)
    ]
    return np.array(numbers, np.int64)


def _at_statements(
    metric: int, cells: Cells, statement: Ints, limit: int | None
) -> Iterator[Finding]:
    """Yield the findings of a property at the statements with the highest severity above 0, at most
    `limit` of them."""
    severity = cells.sum(axis=1)
    total = np.zeros(len(statement))
    np.add.at(total, statement, severity)
    for number in _worst(total, limit):
        paths = np.flatnonzero(statement == number)
        paths = paths[_worst(severity[paths], None)]
        parts = tuple((int(path), float(severity[path])) for path in paths)
        yield Finding(metric, parts[0][0], cells[paths].sum(axis=0), parts)


def _worst(severity: npt.NDArray[np.float64], limit: int | None) -> Ints:
    """Return the rows with the highest severity above 0, at most `limit` of them."""
    rows = np.flatnonzero(severity > 0)
    return rows[np.argsort(-severity[rows], kind="stable")][:limit]


def severities_without_parts(cube: Cube) -> Iterator[tuple[int, Cells]]:
    """Yield the row of each property with a remedy, and its severity without that of such
    properties below it."""
    causes = [row for row, metric in enumerate(cube.metrics) if metric.remedy]
    parts: dict[int, list[int]] = {row: [] for row in causes}
    for row in causes:
        above = cube.metrics[row].above
        while above >= 0 and above not in parts:
            above = cube.metrics[above].above
        if above >= 0:
            parts[above].append(row)
    for row in causes:
        cells = cube.dense(row)
        for part in parts[row]:
            cells -= cube.dense(part)
        yield row, np.maximum(0.0, cells, out=cells)


_NAMES = frozenset(f"MPI_{name}" for name in BEGIN_AND_END)


def _are_actionable(cube: Cube) -> Flags:
    """Return whether a person can act on what is at each call path of a cube.  How long MPI takes
    to begin and to end is no choice of the program, and its threads cannot help there."""
    return np.array([place.name not in _NAMES for place in cube.paths], np.bool_)


_NOTHING = 0.001
"""Share of the longer run's duration; smaller changes are left out."""


@dataclass(frozen=True, slots=True)
class CauseChange:
    """A property at a call path in two runs: seconds of all threads `before` and `after`, without
    those of its parts that have a remedy themselves. The statistics are those of the
    instances, including those of all parts; None if there are none or they are not known."""

    metric: int
    path: int
    before: float
    after: float
    statistics_before: Statistics | None = None
    statistics_after: Statistics | None = None

    @property
    def delta(self) -> float:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class CubeChanges:
    """The changes between two cubes with the same rows, the largest first, and the
    numbers of threads of the two runs."""

    before: Cube
    after: Cube
    threads_before: int
    threads_after: int
    changes: tuple[CauseChange, ...]

    @property
    def total(self) -> float:
        return sum(cause_change.delta for cause_change in self.changes)


def changes_of(before: Cube, after: Cube) -> CubeChanges:
    """Compare two cubes; call paths are the same if their places are. Changes below a thousandth
    of the longer duration are left out."""
    first, second = aligned(before, after)
    minimum = _NOTHING * max(before.duration, after.duration)
    changes = []
    for (metric, was), (_, later) in zip(
        severities_without_parts(first), severities_without_parts(second), strict=True
    ):
        if second.metrics[metric].unit != "s":
            continue
        sums = was.sum(axis=1), later.sum(axis=1)
        for path in np.flatnonzero(np.abs(sums[1] - sums[0]) >= minimum):
            before_sum, after_sum = (float(total[path]) for total in sums)
            before_statistics, after_statistics = (
                cube.statistics(metric, int(path)) for cube in (first, second)
            )
            changes.append(
                CauseChange(
                    metric, int(path), before_sum, after_sum, before_statistics, after_statistics
                )
            )
    changes.sort(key=lambda change: (-abs(change.delta), change.metric, change.path))
    return CubeChanges(first, second, len(before.threads), len(after.threads), tuple(changes))
