"""Each request of the protocol that is answered, and each command."""

from __future__ import annotations

import os
from typing import Any

from lsprotocol import types

from pomp_clang.lsp.actions import KIND, actions
from pomp_clang.lsp.choosing import COMMANDS, choose, follow
from pomp_clang.lsp.database import NAME
from pomp_clang.lsp.hints import hints
from pomp_clang.lsp.hover import hover
from pomp_clang.lsp.lenses import SHOW_REPORT, lenses
from pomp_clang.lsp.reporting import show
from pomp_clang.lsp.server import Server

_SECTION = "pomp"


def make() -> Server:
    """A server with all that it does."""
    server = Server()
    _of_documents(server)
    _of_workspace(server)
    _shown(server)
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
        given = params.settings
        if isinstance(given, dict) and _SECTION in given:
            server.begin(given[_SECTION])
            server.later("watch", server.watch())
            server.changed()

    @server.feature(types.SHUTDOWN)
    async def shutdown(params: Any) -> None:
        await server.end()


def _watched(server: Server) -> types.Registration:
    """Files whose change on the disk changes what is shown; runs are looked for anyway."""
    names = (NAME, os.path.basename(server.session.filter_path))
    watchers = [types.FileSystemWatcher(f"**/{name}") for name in names]
    method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    return types.Registration("pomp-files", method, options)


def _shown(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def code_lens(params: types.CodeLensParams) -> list[types.CodeLens]:
        seen = await server.view(params.text_document.uri)
        return list(lenses(params.text_document.uri, *seen)) if seen else []

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay_hint(params: types.InlayHintParams) -> list[types.InlayHint]:
        seen = await server.view(params.text_document.uri)
        return list(hints(*seen, params.range)) if seen else []

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
        return list(actions(uri, name, seen[0], params)) if seen else []


def _choosing(server: Server, command: str) -> None:
    @server.command(command)
    async def chosen(of: dict[str, str]) -> None:
        await choose(server, command, of["uri"], of["place"])


def _reporting(server: Server) -> None:
    @server.command(SHOW_REPORT)
    async def show_report(*_: Any) -> str:
        return await show(server)
