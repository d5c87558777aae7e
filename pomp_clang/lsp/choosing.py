"""The commands by which somebody chooses what is measured: the filter file gets another text."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from lsprotocol import types

from pomp_clang.lsp import lenses
from pomp_clang.lsp.place import Place
from pomp_clang.lsp.rules import chosen, chosen_file, followed
from pomp_clang.lsp.server import Server
from pomp_clang.selection.filter import FilterError, parse_filter


@dataclass(frozen=True, slots=True)
class Choice:
    """What a command does to a filter's text."""

    measure: bool
    edit: Callable[[str, Place, str, bool, Sequence[Place]], str]


COMMANDS = {
    lenses.MEASURE: Choice(True, chosen),
    lenses.LEAVE_OUT: Choice(False, chosen),
    lenses.MEASURE_FILE: Choice(True, chosen_file),
    lenses.LEAVE_OUT_FILE: Choice(False, chosen_file),
}


async def choose(server: Server, command: str, uri: str, id_: str) -> None:
    """Write what was chosen of a place; what hinders is said."""
    choice = COMMANDS[command]
    found = await server.place(uri, id_)
    if found is None:
        name = os.path.basename(unquote(uri))
        what = f"{name}: what was chosen is no longer in the text; choose it where it is by now"
        server.say(what, types.MessageType.Warning)
        return
    place, view = found
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
    """A document was saved: the filter names what was chosen as it is called by now."""
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
        edited = followed(text, session.folder, before, view.places)
        if edited != text:
            await server.write(session.filter_path, edited)
            server.changed()
