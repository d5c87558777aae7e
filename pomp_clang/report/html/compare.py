"""Two runs compared, as a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pomp_clang.analysis.comparison import ComparedRegion, change
from pomp_clang.analysis.comparison.property_changes import PropertyChange, property_changes
from pomp_clang.analysis.properties import lasting
from pomp_clang.analysis.run import AnalyzedRun
from pomp_clang.experiment.model import Region
from pomp_clang.report.cause_changes import CauseChangeRow, CauseChanges
from pomp_clang.report.html.bars import FULL, Segment
from pomp_clang.report.html.document import page
from pomp_clang.report.html.runs import part_rows, run_view, trust_notes
from pomp_clang.report.phrases import (
    decimals_for,
    growth,
    growth_in_percent,
    percent,
    place,
    seconds,
    signed,
    where,
)
from pomp_clang.report.text.compare import ident, points, region_role, states, threads_note, worth
from pomp_clang.report.time_parts import shown_parts

if TYPE_CHECKING:
    from pomp_clang.causes.cube.instance_statistics import Statistics

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
    execT_said: str
    grown: float
    grown_said: str
    lostT: float
    lostT_said: str
    bar: tuple[Segment, ...]


def render(
    a: AnalyzedRun,
    b: AnalyzedRun,
    regions: tuple[ComparedRegion, ...],
    top: int | None,
    causes: CauseChanges | None = None,
) -> str:
    whole = max(a.analysis.totalT, b.analysis.totalT)
    most = max((abs(region.delta.execT) for region in regions), default=0.0)
    decimals = decimals_for(s.execT for region in regions for s in (region.a, region.b) if s)
    shown = regions[:top]
    return page(
        "diff.html",
        runs=[run_view(label, run, whole) for label, run in (("A", a), ("B", b))],
        parts=part_rows((a, b)),
        deltas=[
            _more(b.parts()[part.key] - a.parts()[part.key])
            for part in shown_parts(a.parts(), b.parts())
        ],
        warnings=trust_notes((("A", a), ("B", b))),
        notes=threads_note(a, b),
        grown=growth_in_percent(change(a.duration, b.duration)),
        findings=[_finding(each) for each in worth(property_changes(a, b))],
        causes=[_cause(row) for row in causes.rows] if causes else [],
        causes_note=causes.note if causes else "",
        has_causes=causes is not None,
        first=_FIRST,
        states=states(regions),
        rows=[_row(each, whole, decimals, most) for each in shown],
        hidden=len(regions) - len(shown),
        kinds=sorted({each.shown.region.kind for each in shown}),
        full=FULL,
    )


def _more(seconds: float) -> str:
    return f"{'-' if seconds < 0 else '+'}{lasting(abs(seconds))}" if seconds else lasting(0.0)


def _finding(each: PropertyChange) -> dict[str, str]:
    return {
        "name": each.title,
        "where": where(each.profile.region if each.profile else None),
        "a": percent(each.a.share) if each.a else "",
        "b": percent(each.b.share) if each.b else "",
        "points": points(each),
        "role": "hot" if each.delta >= _WEIGHTY else "good" if each.delta <= -_WEIGHTY else "",
    }


def _known(each: CauseChangeRow) -> list[tuple[str, Statistics]]:
    """Return the instance statistics of the runs that have any."""
    return [(run, found) for run, found in (("A", each.then), ("B", each.now)) if found]


def _cause(each: CauseChangeRow) -> dict[str, str]:
    where = f"{each.place}, in {each.way}" if each.way else each.place
    longest = [f"{lasting(found.most)} in {run}" for run, found in _known(each)]
    return {
        "name": each.name,
        "where": f"{where}; the longest: {', '.join(longest)}" if longest else where,
        "a": lasting(each.a),
        "b": lasting(each.b),
        "points": _more(each.delta),
        "role": each.role,
    }


def _row(each: ComparedRegion, whole: float, decimals: int, most: float) -> CompareRow:
    region, delta = each.shown.region, each.delta
    grown = change(each.a.execT, each.b.execT) if each.a and each.b else None
    counts = [str(side.execC) if side else "" for side in (each.a, each.b)]
    times = [seconds(side.execT, decimals) if side else "" for side in (each.a, each.b)]
    return CompareRow(
        region=region,
        id=ident(each),
        role=region_role(each, whole),
        was=place(each.a.profile.region) if each.a and each.moved else "",
        state=each.state,
        counts=(counts[0], counts[1]),
        times=(times[0], times[1]),
        execT=delta.execT,
        execT_said=signed(delta.execT, decimals),
        grown=grown or 0.0,
        grown_said=growth(grown) if each.state == "both" else each.state,
        lostT=delta.lostT,
        lostT_said=signed(delta.lostT, decimals),
        bar=_diverging(delta.execT, most),
    )


def _diverging(value: float, most: float) -> tuple[Segment, ...]:
    """Draw a bar from the middle: growth to the right, shrinkage to the left."""
    length = round(_MIDDLE * abs(value) / most, 1) if most > 0 else 0.0
    if length < 0.5:
        return ()
    if value > 0:
        return (Segment("greater", _MIDDLE, length),)
    return (Segment("less", _MIDDLE - length, length),)
