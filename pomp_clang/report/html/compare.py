"""Two runs compared, as a page, and the parts of several runs' time: a bar per run and a row of
shares per part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pomp_clang.analysis.comparison import ComparedRegion, change
from pomp_clang.analysis.comparison.repetitions import Repetitions
from pomp_clang.analysis.comparison.verdicts import PropertyChange, property_changes
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.properties import lasting
from pomp_clang.analysis.run import AnalyzedRun
from pomp_clang.experiment.model import Region
from pomp_clang.report.cause_changes import CauseChangeRow, CauseChanges
from pomp_clang.report.comparison_phrases import (
    LabeledRun,
    comparison_notes,
    noise_mark,
    repetition_notes,
)
from pomp_clang.report.html.bars import FULL, Segment, bar, time_parts
from pomp_clang.report.html.document import page
from pomp_clang.report.phrases import (
    decimals_for,
    growth,
    growth_in_percent,
    percent,
    place,
    seconds,
    shown_parts,
    signed,
    until,
    where,
)
from pomp_clang.report.text.compare import ident, points, region_role, states, threads_note, worth

if TYPE_CHECKING:
    from pomp_clang.causes.cube.instance_statistics import Statistics


@dataclass(frozen=True, slots=True)
class RunView:
    """`bar` is of `whole`: of the run's own total, or of another's."""

    label: str
    directory: str
    program: str
    start: str
    duration: str
    threads: int
    complete: bool
    bar: tuple[Segment, ...]


def run_view(label: str, run: AnalyzedRun, total: float) -> RunView:
    experiment = run.experiment
    values = run.parts()
    return RunView(
        label,
        experiment.directory,
        experiment.program,
        experiment.start,
        until(lasting(experiment.duration), experiment.complete),
        run.threads,
        experiment.complete,
        bar(time_parts(values, shown_parts(values)), total),
    )


def trust_notes(runs: Sequence[LabeledRun]) -> list[str]:
    """Return the sentences of the banner: what each run lacks, then what makes times misleading."""
    return [note.text for note in comparison_notes(runs)]


def part_rows(runs: Sequence[AnalyzedRun]) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """List for each part its style, its name, and its time and share in each run."""
    rows = []
    for part in shown_parts(*(run.parts() for run in runs)):
        cells = []
        for run in runs:
            value = run.parts()[part.key]
            cells.append((lasting(value), percent(share(value, run.analysis.totalT))))
        rows.append((part.style, part.name, cells))
    return rows


_MIDDLE = FULL / 2
_FIRST = 10
_WEIGHTY = 0.01


@dataclass(frozen=True, slots=True)
class CompareRow:
    """Numbers as they are shown; `execT` and the like are by what the table is sorted."""

    region: Region
    id: str
    role: str
    was: str
    state: str
    counts: tuple[str, str]
    times: tuple[str, str]
    execT: float
    execT_text: str
    grown: float
    growth_text: str
    lostT: float
    lostT_text: str
    bar: tuple[Segment, ...]


def render(
    a: AnalyzedRun,
    b: AnalyzedRun,
    regions: tuple[ComparedRegion, ...],
    top: int | None,
    causes: CauseChanges | None = None,
    repetitions: Repetitions | None = None,
) -> str:
    longest = max(a.analysis.totalT, b.analysis.totalT)
    largest = max((abs(region.delta.execT) for region in regions), default=0.0)
    decimals = decimals_for(s.execT for region in regions for s in (region.a, region.b) if s)
    shown_regions = regions[:top]
    return page(
        "diff.html",
        runs=[run_view(label, run, longest) for label, run in (("A", a), ("B", b))],
        parts=part_rows((a, b)),
        deltas=[
            _signed_duration(b.parts()[part.key] - a.parts()[part.key])
            for part in shown_parts(a.parts(), b.parts())
        ],
        warnings=trust_notes((("A", a), ("B", b))),
        notes=[*repetition_notes(repetitions), *threads_note(a, b)],
        grown=growth_in_percent(change(a.duration, b.duration)),
        findings=[_finding(change) for change in worth(property_changes(a, b))],
        causes=[_cause(row) for row in causes.rows] if causes else [],
        causes_note=causes.note if causes else "",
        has_causes=causes is not None,
        first=_FIRST,
        states=states(regions),
        rows=[_row(compared, longest, decimals, largest) for compared in shown_regions],
        hidden=len(regions) - len(shown_regions),
        kinds=sorted({compared.latest.region.kind for compared in shown_regions}),
        full=FULL,
    )


def _signed_duration(seconds: float) -> str:
    return f"{'-' if seconds < 0 else '+'}{lasting(abs(seconds))}" if seconds else lasting(0.0)


def _finding(change: PropertyChange) -> dict[str, str]:
    return {
        "name": change.title,
        "where": where(change.profile.region if change.profile else None),
        "a": percent(change.a.share) if change.a else "",
        "b": percent(change.b.share) if change.b else "",
        "points": points(change),
        "role": "hot" if change.delta >= _WEIGHTY else "good" if change.delta <= -_WEIGHTY else "",
    }


def _known_statistics(row: CauseChangeRow) -> list[tuple[str, Statistics]]:
    """Return the instance statistics of the runs that have any."""
    return [
        (run, statistics)
        for run, statistics in (("A", row.statistics_a), ("B", row.statistics_b))
        if statistics
    ]


def _cause(row: CauseChangeRow) -> dict[str, str]:
    where = f"{row.place}, in {row.way}" if row.way else row.place
    longest = [f"{lasting(statistics.most)} in {run}" for run, statistics in _known_statistics(row)]
    return {
        "name": row.name,
        "where": f"{where}; the longest: {', '.join(longest)}" if longest else where,
        "a": lasting(row.a),
        "b": lasting(row.b),
        "points": _signed_duration(row.delta),
        "role": row.role,
    }


def _row(compared: ComparedRegion, total: float, decimals: int, largest: float) -> CompareRow:
    region, delta = compared.latest.region, compared.delta
    grown = change(compared.a.execT, compared.b.execT) if compared.a and compared.b else None
    counts = [str(side.execC) if side else "" for side in (compared.a, compared.b)]
    times = [seconds(side.execT, decimals) if side else "" for side in (compared.a, compared.b)]
    return CompareRow(
        region=region,
        id=ident(compared),
        role=region_role(compared, total),
        was=place(compared.a.profile.region) if compared.a and compared.moved else "",
        state=compared.state,
        counts=(counts[0], counts[1]),
        times=(times[0], times[1]),
        execT=delta.execT,
        execT_text=signed(delta.execT, decimals),
        grown=grown or 0.0,
        growth_text=(
            noise_mark(compared) + growth(grown) if compared.state == "both" else compared.state
        ),
        lostT=delta.lostT,
        lostT_text=signed(delta.lostT, decimals),
        bar=_diverging(delta.execT, largest),
    )


def _diverging(value: float, largest: float) -> tuple[Segment, ...]:
    """Draw a bar from the middle: growth to the right, shrinkage to the left."""
    length = round(_MIDDLE * abs(value) / largest, 1) if largest > 0 else 0.0
    if length < 0.5:
        return ()
    if value > 0:
        return (Segment("greater", _MIDDLE, length),)
    return (Segment("less", _MIDDLE - length, length),)
