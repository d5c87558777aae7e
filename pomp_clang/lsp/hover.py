"""Hovers: the report's rows for what stands under the pointer."""

from __future__ import annotations

import os

from lsprotocol import types

from pomp_clang.lsp.place import Place
from pomp_clang.lsp.positions import Lines
from pomp_clang.lsp.run import Measured, Run
from pomp_clang.lsp.session import View
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text_profile import thread_table
from pomp_clang.report.wording import percent


def hover(view: View, run: Run | None, lines: Lines, line: int) -> types.Hover | None:
    """What is to be said of the places whose directive or head is on a line."""
    here = [place for place in view.places if place.first <= line <= place.head]
    if not here:
        return None
    said = "\n\n---\n\n".join(_said(place, view.of(place), run) for place in here)
    place = here[0]
    where = lines.from_to(place.first, place.column, place.head)
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, said), where)


def _said(place: Place, measured: Measured | None, run: Run | None) -> str:
    state = f"{place.state}: {place.why}" if place.why else place.state
    parts = [f"**{_plain(place.title)}**: {_plain(state)}"]
    if measured is not None and run is not None:
        parts += _measured(measured, run)
    elif run is not None:
        parts.append(f"Not in the run {_plain(_name(run))}.")
    return "\n\n".join(parts)


def _measured(measured: Measured, run: Run) -> list[str]:
    about = f"{measured.brief}; {percent(measured.lost)} % lost"
    still = "" if run.complete else ", which has not ended or was cut off"
    several = f", {run.processes} processes" if run.processes else ""
    parts = [f"{measured.region.id}: {about} (run {_plain(_name(run))}{several}{still})"]
    if measured.calls:
        of = "process" if run.processes else "thread"
        table = thread_table(measured.profile, "auto", Terminal(), of)
        parts.append("\n".join(["```text", *table, "```"]))
    if measured.worst is not None:
        worst = measured.worst
        parts.append(f"{measured.worst_brief}: {_plain(worst.text)} {_plain(worst.advice)}")
    return parts


def _name(run: Run) -> str:
    return os.path.basename(os.path.normpath(run.directory))


def _plain(text: str) -> str:
    """Names of the user's are no markup."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#|!~" else c for c in text)
