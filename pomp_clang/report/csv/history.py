"""The history of a program as CSV: a row for each region and run."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from pomp_clang.analysis.comparison.history import ProgramHistory, RegionHistory
from pomp_clang.report.terminal import printable

HEADINGS = (
    "kind", "name", "function", "file", "begin", "end", "run", "directory", "start", "threads",
    "execC", "execT", "lostT", "change",
)  # fmt: skip


def render(history: ProgramHistory, regions: Sequence[RegionHistory]) -> str:
    """Write a heading and the rows, the runs of a region in their order. The first rows are those
    of the program, whose execT is the duration."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADINGS)

    def write(head: tuple[object, ...], place: int, values: tuple[object, ...]) -> None:
        experiment = history.runs[place].experiment
        threads = history.runs[place].threads
        row = (*head, place + 1, experiment.directory, experiment.start, threads, *values)
        writer.writerow(printable(value) if isinstance(value, str) else value for value in row)

    of_program = {change.at: change.after - change.before for change in history.changes}
    program = ("program", history.runs[-1].experiment.program, "", "", "", "")
    for place, run in enumerate(history.runs):
        total = (1, run.duration, run.analysis.lost.total)
        write(program, place, (*total, of_program.get(place, "")))
    for row in regions:
        region = row.region
        lines = region.begin_line1, region.end_lineN
        head = (region.kind, region.sub_name, region.function, region.file, *lines)
        changes = {change.at: change.after - change.before for change in row.changes}
        for place, side in enumerate(row.runs):
            values = (side.execC, side.execT, side.lostT) if side else (0, 0.0, 0.0)
            write(head, place, (*values, changes.get(place, "")))
    return text.getvalue()
