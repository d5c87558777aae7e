"""Handlers: each request of the protocol that is answered, and each command.

Inlay hints show share and calls at the end of a directive and of a function's head. Code actions
are the commands for the places that a range of a document touches.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from typing import Any

from lsprotocol import types
from pygls.uris import from_fs_path

from pomp_clang.lsp.database import NAME
from pomp_clang.lsp.filter_edits import COMMANDS, choose, follow
from pomp_clang.lsp.place import SourcePlace
from pomp_clang.lsp.server import Server
from pomp_clang.lsp.session import DocumentView
from pomp_clang.lsp.source_annotations import SHOW_REPORT, DocumentLines, choices, hover, lenses
from pomp_clang.report.options import Options
from pomp_clang.report.write_report import ReportError, ReportRequest, write_report

_SECTION = "pomp"


def make() -> Server:
    """Build a server with all handlers."""
    server = Server()
    _of_documents(server)
    _of_workspace(server)
    _measurement_features(server)
    for command in COMMANDS:
        _choosing(server, command)
    _reporting(server)
    return server


def _of_documents(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        _hold(server, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        _hold(server, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        server.session.saved()
        server.changed()
        await follow(server, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.release(params.text_document.uri)


def _hold(server: Server, uri: str) -> None:
    if server.hold(uri) == server.session.filter_path:
        server.changed()
    else:
        server.check(uri)


def _of_workspace(server: Server) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.begin(params.initialization_options)

    @server.feature(types.INITIALIZED)
    def initialized(params: types.InitializedParams) -> None:
        server.later("watch", server.watch())
        workspace = server.client_capabilities.workspace
        watches = workspace.did_change_watched_files if workspace else None
        if watches and watches.dynamic_registration:
            server.client_register_capability(types.RegistrationParams([_watched(server)]))

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(params: types.DidChangeWatchedFilesParams) -> None:
        server.session.saved()
        server.changed()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configured(params: types.DidChangeConfigurationParams) -> None:
        settings = params.settings
        if isinstance(settings, dict) and _SECTION in settings:
            server.begin(settings[_SECTION])
            server.later("watch", server.watch())
            server.changed()

    @server.feature(types.SHUTDOWN)
    async def shutdown(params: Any) -> None:
        await server.end()


def _watched(server: Server) -> types.Registration:
    """Build the registration of files whose changes on the disk matter; runs are searched anyway."""
    names = (NAME, os.path.basename(server.session.filter_path))
    watchers = [types.FileSystemWatcher(f"**/{name}") for name in names]
    method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    return types.Registration("pomp-files", method, options)


def _measurement_features(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def code_lens(params: types.CodeLensParams) -> list[types.CodeLens]:
        seen = await server.view(params.text_document.uri)
        return list(lenses(params.text_document.uri, *seen)) if seen else []

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay_hint(params: types.InlayHintParams) -> list[types.InlayHint]:
        seen = await server.view(params.text_document.uri)
        return list(_inlay_hints(*seen, params.range)) if seen else []

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hovered(params: types.HoverParams) -> types.Hover | None:
        seen = await server.view(params.text_document.uri)
        if seen is None:
            return None
        view, lines = seen
        return hover(view, server.session.run, lines, params.position.line)

    options = types.CodeActionOptions([types.CodeActionKind.QuickFix, KIND])

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        uri = params.text_document.uri
        seen = await server.view(uri)
        name = os.path.basename(uri)
        return list(_code_actions(uri, name, seen[0], params)) if seen else []


def _choosing(server: Server, command: str) -> None:
    @server.command(command)
    async def chosen(arguments: dict[str, str]) -> None:
        await choose(server, command, arguments["uri"], arguments["place"])


def _reporting(server: Server) -> None:
    @server.command(SHOW_REPORT)
    async def show_report(*_: Any) -> str:
        return await show(server)


def _inlay_hints(
    view: DocumentView, lines: DocumentLines, range_: types.Range
) -> Iterator[types.InlayHint]:
    """Yield the hints of a part of a document."""
    for place in view.places:
        measured = view.of(place)
        line = place.first if place.is_function else place.head  # a head may end with its {
        if measured is not None and range_.start.line <= line <= range_.end.line:
            tooltip = measured.worst.text if measured.worst else None
            yield types.InlayHint(
                lines.end(line), measured.brief, tooltip=tooltip, padding_left=True
            )


KIND = types.CodeActionKind("refactor")


def _code_actions(
    uri: str, name: str, view: DocumentView, params: types.CodeActionParams
) -> Iterator[types.CodeAction]:
    """Yield the actions for a range, for the innermost place first; `name` is the file's name."""
    first, last = params.range.start.line, params.range.end.line
    touched = [place for place in view.places if _touches(place, first, last)]
    for place in sorted(touched, key=lambda place: place.last - place.first):
        warned = [
            diagnostic for diagnostic in params.context.diagnostics if _is_of(diagnostic, place)
        ]
        for command in choices(uri, place):
            alone = command.title != "with its file"
            verb = "measure" if place.state == "disabled" else "leave out"
            subject = place.title if alone else f"all {_plural(place)} of {name}"
            yield types.CodeAction(
                title=f"pomp: {verb} {subject}",
                kind=types.CodeActionKind.QuickFix if warned and alone else KIND,
                diagnostics=warned or None,
                command=command,
            )


def _touches(place: SourcePlace, first: int, last: int) -> bool:
    """Return whether the range touches the directive or head; a function's body is too much."""
    return place.first <= last and first <= place.head


def _is_of(diagnostic: types.Diagnostic, place: SourcePlace) -> bool:
    return diagnostic.source == "pomp-clang" and diagnostic.range.start.line == place.first


def _plural(place: SourcePlace) -> str:
    return "functions" if place.is_function else "constructs"


async def show(server: Server) -> str:
    """Write the page and open it; return its path, or "" if there is none."""
    run = server.session.run
    if run is None:
        server.say("there is no experiment in this workspace: run an instrumented program first")
        return ""
    page = server.page()
    request = ReportRequest(run.directory, "html", page, "never", Options(everything=True))
    try:
        await asyncio.to_thread(write_report, request)
    except ReportError as error:
        server.say(str(error), types.MessageType.Error)
        return ""
    window = server.client_capabilities.window
    if window and window.show_document and window.show_document.support:
        document = types.ShowDocumentParams(from_fs_path(page) or page, external=True)
        await server.window_show_document_async(document)
    else:
        server.say(f"the report is in {page}")
    return page
