"""Commands that select what is measured: they edit the filter file."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from lsprotocol import types

from pomp_clang.lsp import source_annotations
from pomp_clang.lsp.filter_edits import after_edit, chosen_file, with_choice
from pomp_clang.lsp.place import SourcePlace
from pomp_clang.lsp.server import Server
from pomp_clang.selection.filter import FilterError, parse_filter


@dataclass(frozen=True, slots=True)
class FilterCommand:
    """A command: whether it measures, and its edit of the filter's text."""

    measure: bool
    edit: Callable[[str, SourcePlace, str, bool, Sequence[SourcePlace]], str]


COMMANDS = {
    source_annotations.MEASURE: FilterCommand(True, with_choice),
    source_annotations.LEAVE_OUT: FilterCommand(False, with_choice),
    source_annotations.MEASURE_FILE: FilterCommand(True, chosen_file),
    source_annotations.LEAVE_OUT_FILE: FilterCommand(False, chosen_file),
}


async def choose(server: Server, command: str, uri: str, id_: str) -> None:
    """Write the selection of a place to the filter file; show an error to the user."""
    choice = COMMANDS[command]
    place_in_view = await server.place(uri, id_)
    if place_in_view is None:
        name = os.path.basename(unquote(uri))
        message = f"{name}: what was chosen is no longer in the text; choose it where it is by now"
        server.say(message, types.MessageType.Warning)
        return
    place, view = place_in_view
    session = server.session
    path = session.filter_path
    try:
        async with server.choosing:
            text = choice.edit(
                session.text_of(path), place, session.folder, choice.measure, view.places
            )
            await server.write(path, text)
    except FilterError as error:
        server.say(f"{os.path.basename(path)}{error}", types.MessageType.Error)
        return
    except OSError as error:
        server.say(f"{path}: {error.strerror}", types.MessageType.Error)
        return
    server.changed()


async def follow(server: Server, uri: str) -> None:
    """Update the filter after a document was saved: places may have other names now."""
    seen, document = await server.view(uri), server.document(uri)
    if seen is None or document is None:
        return
    session, view = server.session, seen[0]
    before = session.remember(document, view)
    if not before:
        return
    async with server.choosing:
        text = session.text_of(session.filter_path)
        try:
            parse_filter("", text)
        except FilterError:
            return
        edited = after_edit(text, session.folder, before, view.places)
        if edited != text:
            await server.write(session.filter_path, edited)
            server.changed()
