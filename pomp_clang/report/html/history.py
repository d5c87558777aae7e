"""The history of a program as a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pomp_clang.analysis.comparison.history import ChangePoint, ProgramHistory, RegionHistory
from pomp_clang.experiment.model import Region
from pomp_clang.report.history_rows import all_changes, change_text, history_notes, role_of
from pomp_clang.report.html.document import page
from pomp_clang.report.phrases import decimals_for, percent, place, seconds, until, what

WIDTH, HEIGHT = 260, 44
_MARGIN = 5


@dataclass(frozen=True, slots=True)
class HistoryDot:
    """A run in a drawing, with the text of its tooltip; `role` is set where the cost changed."""

    x: float
    y: float
    text: str
    role: str


@dataclass(frozen=True, slots=True)
class HistoryDrawing:
    """A series in `WIDTH` x `HEIGHT`, from 0 to its largest value."""

    label: str
    line: str
    dots: tuple[HistoryDot, ...]


def render(history: ProgramHistory, regions: Sequence[RegionHistory], top: int | None) -> str:
    shown_regions = regions[:top]
    costs = (cost for row in shown_regions for cost in row.costs)
    decimals = decimals_for(costs)
    durations = [run.duration for run in history.runs]
    time_decimals = decimals_for(durations)
    marked = {change.at: change for change in history.changes}
    return page(
        "history.html",
        program=history.runs[-1].experiment.program,
        warnings=[note.text for note in history_notes(history)],
        cost="execT" if history.cost == "execT" else "lostT",
        runs=[
            {
                "number": str(number + 1),
                "start": run.experiment.start,
                "directory": run.experiment.directory,
                "threads": run.threads,
                "duration": until(seconds(run.duration, time_decimals), run.experiment.complete),
                "change": change_text(marked[number]) if number in marked else "",
                "role": role_of(marked[number]) if number in marked else "",
            }
            for number, run in enumerate(history.runs)
        ],
        durations=_drawing("Duration", durations, history.changes, time_decimals),
        changes=[
            _change(row, change, history, decimals) for row, change in all_changes(history, regions)
        ],
        rows=[_row(row, decimals) for row in shown_regions],
        hidden=len(regions) - len(shown_regions),
        kinds=sorted({row.region.kind for row in shown_regions}),
        width=WIDTH,
        height=HEIGHT,
    )


def _row(row: RegionHistory, decimals: int) -> dict[str, object]:
    last = row.changes[-1] if row.changes else None
    return {
        "region": row.region,
        "drawing": _drawing(_name(row.region), row.costs, row.changes, decimals),
        "last": row.costs[-1],
        "last_text": seconds(row.costs[-1], decimals),
        "change": change_text(last) if last else "",
        "growth": (last.growth or 0.0) if last else 0.0,
        "role": role_of(last) if last else "",
    }


def _change(
    row: RegionHistory | None, change: ChangePoint, history: ProgramHistory, decimals: int
) -> dict[str, str]:
    return {
        "run": str(change.at + 1),
        "directory": history.runs[change.at].experiment.directory,
        "where": _name(row.region) if row else "duration of the program",
        "before": seconds(change.before, decimals),
        "after": seconds(change.after, decimals),
        "growth": change_text(change).split(" at ")[0],
        "certain": percent(change.confidence) if change.confidence is not None else "?",
        "role": role_of(change),
    }


def _name(region: Region) -> str:
    return f"{what(region)} {place(region)}"


def _drawing(
    label: str, costs: Sequence[float], changes: Sequence[ChangePoint], decimals: int
) -> HistoryDrawing:
    most = max(costs, default=0.0)
    step = (WIDTH - 2 * _MARGIN) / max(1, len(costs) - 1)
    roles = {change.at: role_of(change) for change in changes}
    dots = tuple(
        HistoryDot(
            round(_MARGIN + step * number, 1),
            round(HEIGHT - _MARGIN - (HEIGHT - 2 * _MARGIN) * (cost / most if most else 0.0), 1),
            f"run {number + 1}: {seconds(cost, decimals)} s",
            roles.get(number, ""),
        )
        for number, cost in enumerate(costs)
    )
    return HistoryDrawing(label, " ".join(f"{dot.x},{dot.y}" for dot in dots), dots)
