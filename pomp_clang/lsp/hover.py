"""Hovers: the report's rows for the place under the pointer."""

from __future__ import annotations

import os

from lsprotocol import types

from pomp_clang.lsp.measured_run import MeasuredRegion, MeasuredRun
from pomp_clang.lsp.place import SourcePlace
from pomp_clang.lsp.positions import DocumentLines
from pomp_clang.lsp.session import DocumentView
from pomp_clang.report.phrases import percent
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.region_profile import thread_table


def hover(
    view: DocumentView, run: MeasuredRun | None, lines: DocumentLines, line: int
) -> types.Hover | None:
    """Build the hover for the places whose directive or head is on a line."""
    places = [place for place in view.places if place.first <= line <= place.head]
    if not places:
        return None
    text = "\n\n---\n\n".join(_place_text(place, view.of(place), run) for place in places)
    place = places[0]
    range_ = lines.from_to(place.first, place.column, place.head)
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), range_)


def _place_text(
    place: SourcePlace, measured: MeasuredRegion | None, run: MeasuredRun | None
) -> str:
    state = f"{place.state}: {place.why}" if place.why else place.state
    parts = [f"**{_escape_markdown(place.title)}**: {_escape_markdown(state)}"]
    if measured is not None and run is not None:
        parts += _measured(measured, run)
    elif run is not None:
        parts.append(f"Not in the run {_escape_markdown(_name(run))}.")
    return "\n\n".join(parts)


def _measured(measured: MeasuredRegion, run: MeasuredRun) -> list[str]:
    about = f"{measured.brief}; {percent(measured.lost)} % lost"
    still = "" if run.complete else ", which has not ended or was cut off"
    process_count = f", {run.processes} processes" if run.processes else ""
    parts = [
        f"{measured.region.id}: {about} (run {_escape_markdown(_name(run))}{process_count}{still})"
    ]
    if measured.calls:
        unit_name = "process" if run.processes else "thread"
        table = thread_table(measured.profile, "auto", Terminal(), unit_name)
        parts.append("\n".join(["```text", *table, "```"]))
    if measured.worst is not None:
        worst = measured.worst
        parts.append(
            f"{measured.worst_brief}: {_escape_markdown(worst.text)} {_escape_markdown(worst.advice)}"
        )
    return parts


def _name(run: MeasuredRun) -> str:
    return os.path.basename(os.path.normpath(run.directory))


def _escape_markdown(text: str) -> str:
    """Escape Markdown in names of the user's."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#|!~" else c for c in text)
