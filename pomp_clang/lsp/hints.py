"""Inlay hints: share and calls behind each directive and each function's head."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from pomp_clang.lsp.positions import Lines
from pomp_clang.lsp.session import View


def hints(view: View, lines: Lines, range_: types.Range) -> Iterator[types.InlayHint]:
    """Those of a part of a document."""
    for place in view.places:
        measured = view.of(place)
        line = place.first if place.is_function else place.head  # a head may end with its {
        if measured is not None and range_.start.line <= line <= range_.end.line:
            more = measured.worst.text if measured.worst else None
            yield types.InlayHint(lines.end(line), measured.brief, tooltip=more, padding_left=True)
