"""Code actions: the choices of the places that a range of a document touches."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from pomp_clang.lsp.lenses import choices
from pomp_clang.lsp.place import Place
from pomp_clang.lsp.session import View

KIND = types.CodeActionKind("refactor")


def actions(
    uri: str, name: str, view: View, asked: types.CodeActionParams
) -> Iterator[types.CodeAction]:
    """For the innermost place first; `name` is the file's."""
    first, last = asked.range.start.line, asked.range.end.line
    touched = [each for each in view.places if _touches(each, first, last)]
    for place in sorted(touched, key=lambda each: each.last - each.first):
        warned = [each for each in asked.context.diagnostics if _is_of(each, place)]
        for command in choices(uri, place):
            alone = command.title != "with its file"
            verb = "measure" if place.state == "disabled" else "leave out"
            what = place.title if alone else f"all {_several(place)} of {name}"
            yield types.CodeAction(
                title=f"pomp: {verb} {what}",
                kind=types.CodeActionKind.QuickFix if warned and alone else KIND,
                diagnostics=warned or None,
                command=command,
            )


def _touches(place: Place, first: int, last: int) -> bool:
    """On its directive or head; anywhere in a function would be too much."""
    return place.first <= last and first <= place.head


def _is_of(diagnostic: types.Diagnostic, place: Place) -> bool:
    return diagnostic.source == "pomp-clang" and diagnostic.range.start.line == place.first


def _several(place: Place) -> str:
    return "functions" if place.is_function else "constructs"
