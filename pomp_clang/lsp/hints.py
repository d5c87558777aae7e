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
        shown = range_.start.line <= place.head <= range_.end.line
        if measured is not None and shown:
            more = measured.worst.text if measured.worst else None
            yield types.InlayHint(
                lines.end(place.head), measured.brief, tooltip=more, padding_left=True
            )
