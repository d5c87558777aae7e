"""The history of a program as Markdown: what changed, and the latest cost of the regions."""

from __future__ import annotations

from collections.abc import Sequence

from pomp_clang.analysis.comparison.history import ProgramHistory, RegionHistory
from pomp_clang.report.history_rows import all_changes, change_text, history_notes
from pomp_clang.report.markdown import markdown_cell, markdown_table
from pomp_clang.report.phrases import number, percent, place, seconds, what
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.history import sparkline

_DECIMALS = 3
_ROOM = 40
"""The number of characters of a drawing."""

_SHOWN = 10


def render(history: ProgramHistory, regions: Sequence[RegionHistory], top: int | None) -> str:
    limit = _SHOWN if top is None else top
    program = markdown_cell(history.runs[-1].experiment.program)
    lines = [f"## {program}: {number(len(history.runs), 'run')}", ""]
    lines += [f"{markdown_cell(note.text)}\n" for note in history_notes(history)]
    changes = [*all_changes(history, regions)][:limit]
    if changes:
        rows = [
            (
                str(change.at + 1),
                history.runs[change.at].experiment.directory,
                what(row.region) if row else "duration",
                place(row.region) if row else "",
                seconds(change.before, _DECIMALS),
                seconds(change.after, _DECIMALS),
                change_text(change).split(" ")[0],
                percent(change.confidence) if change.confidence is not None else "",
            )
            for row, change in changes
        ]
        heads = ("run", "experiment", "changed", "", "before (s)", "after (s)", "%", "certain %")
        lines += [*markdown_table(heads, rows), ""]
    else:
        lines += ["No cost changed beyond the noise.", ""]
    terminal = Terminal(unicode=True)
    room = min(_ROOM, len(history.runs))
    cost = "execT" if history.cost == "execT" else "lostT"
    rows_ = [
        (
            what(row.region),
            place(row.region),
            sparkline(row.costs, room, terminal),
            seconds(row.costs[-1], _DECIMALS),
            change_text(row.changes[-1]) if row.changes else "",
        )
        for row in regions[:limit]
    ]
    if rows_:
        lines += markdown_table(("region", "", "runs", f"last {cost} (s)", "change"), rows_)
    if len(regions) > limit:
        lines += ["", f"{len(regions) - limit} more regions not shown."]
    return "\n".join(lines) + "\n"
