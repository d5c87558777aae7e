"""Code lenses: the measurement of each place above it, and its commands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol import types

from pomp_clang.lsp.place import SourcePlace
from pomp_clang.lsp.positions import DocumentLines
from pomp_clang.lsp.session import DocumentView

MEASURE = "pomp.measure"
LEAVE_OUT = "pomp.leaveOut"
MEASURE_FILE = "pomp.measureFile"
LEAVE_OUT_FILE = "pomp.leaveOutFile"
SHOW_REPORT = "pomp.showReport"


def lenses(uri: str, view: DocumentView, lines: DocumentLines) -> Iterator[types.CodeLens]:
    """Yield the lenses of a document, in the order of its text."""
    for place in view.places:
        range_ = lines.from_to(place.first, place.column, place.first)
        for command in (*_measured(view, place), *choices(uri, place)):
            yield types.CodeLens(range_, command=command)


def _measured(view: DocumentView, place: SourcePlace) -> Iterator[types.Command]:
    measured = view.of(place)
    if measured is not None:
        title = ", ".join(filter(None, (measured.brief, measured.worst_brief)))
        yield types.Command(title, SHOW_REPORT, arguments=[])


def choices(uri: str, place: SourcePlace) -> Iterator[types.Command]:
    """Yield the commands of a place: for the place alone, or with its file."""
    if not place.chooses:
        return
    arguments: list[Any] = [{"uri": uri, "place": place.id}]
    if place.state == "disabled":
        yield types.Command("measure", MEASURE, arguments=arguments)
        yield types.Command("with its file", MEASURE_FILE, arguments=arguments)
    else:
        yield types.Command("leave out", LEAVE_OUT, arguments=arguments)
        yield types.Command("with its file", LEAVE_OUT_FILE, arguments=arguments)
