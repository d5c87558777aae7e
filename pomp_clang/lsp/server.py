"""The server: what editors ask, and what they are told."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Coroutine
from functools import partial
from importlib.metadata import version
from typing import Any
from urllib.parse import unquote

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from pomp_clang.lsp.diagnostics import of_filter, of_view
from pomp_clang.lsp.place import Place
from pomp_clang.lsp.positions import Lines
from pomp_clang.lsp.session import Document, Session, View
from pomp_clang.lsp.settings import Settings, settings_of
from pomp_clang.lsp.waiting import waiting

LANGUAGES = ("c", "cpp", "c++", "cuda")
_DELAY = 0.3
"""Seconds between the last key and the look at what is wrong."""
_SHORTEST_PAUSE = 1.0
_REST = 30
"""How many times longer than a search for new runs the pause after it is."""


class Server(LanguageServer):
    """One editor's."""

    def __init__(self) -> None:
        # The whole text at each change: pygls takes a form feed for the end of a line.
        kind = types.TextDocumentSyncKind.Full
        super().__init__("pomp-clang", version("pomp-clang"), text_document_sync_kind=kind)
        self.session = Session([], Settings())
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._pages: tempfile.TemporaryDirectory[str] | None = None
        self.choosing = asyncio.Lock()
        """Held from the filter's text to its next one."""

    def begin(self, given: object) -> None:
        """A session with the settings that an editor gave."""
        folders = [to_fs_path(each.uri) for each in self.workspace.folders.values()]
        known = [folder for folder in folders or [self.workspace.root_path] if folder]
        settings, wrong = settings_of(given)
        session = Session(known, settings)
        for document in self.workspace.text_documents.values():
            session.opened(os.path.abspath(document.path), document.source)
        if wrong:
            self.say(wrong, types.MessageType.Warning)
        old, self.session = self.session, session
        self.later("end", old.end())

    def say(self, what: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """A line to the person."""
        self.window_show_message(types.ShowMessageParams(kind, what))

    def later(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Begin some work beside all else; what was begun under that name is given up."""
        before = self._tasks.pop(name, None)
        if before is not None:
            before.cancel()
        self._tasks[name] = asyncio.get_running_loop().create_task(work)

    def document(self, uri: str) -> Document | None:
        """An open source or header; None if it is anything else."""
        document = self.workspace.text_documents.get(unquote(uri))
        if document is None or document.language_id not in LANGUAGES:
            return None
        path, text = os.path.abspath(document.path), document.source
        return Document(uri, path, text, _is_saved(path, text))

    def hold(self, uri: str) -> str:
        """A document is open, or has another text; its path."""
        document = self.workspace.get_text_document(uri)
        path = os.path.abspath(document.path)
        self.session.opened(path, document.source)
        return path

    def release(self, uri: str) -> None:
        """A document is closed."""
        self.session.closed(os.path.abspath(to_fs_path(uri) or uri))
        self._publish(uri, [])

    async def view(self, uri: str) -> tuple[View, Lines] | None:
        """What is known of a document as it is when the answer comes: of the texts that it
        had meanwhile, while somebody types, none keeps the others waiting."""
        while (document := self.document(uri)) is not None:
            is_current = partial(self._is_current, document)
            with waiting(self, f"pomp-clang reads {os.path.basename(document.path)}"):
                view = await self.session.view(document, is_current)
            if view is not None:
                return view, self.lines(document.text)
        return None

    def _is_current(self, document: Document) -> bool:
        known = self.workspace.text_documents.get(unquote(document.uri))
        return known is not None and known.source == document.text

    def lines(self, text: str) -> Lines:
        return Lines(text, self.workspace.position_codec.client_num_units)

    async def place(self, uri: str, id_: str) -> tuple[Place, View] | None:
        """A place of a document by what it is known by."""
        seen = await self.view(uri)
        places = seen[0].places if seen else ()
        found = next((place for place in places if place.id == id_), None)
        return (found, seen[0]) if found and seen else None

    def check(self, uri: str) -> None:
        """Look at what is wrong in a document once nobody types."""
        self.later(uri, self._check(uri, _DELAY))

    async def _check(self, uri: str, delay: float) -> None:
        await asyncio.sleep(delay)
        seen = await self.view(uri)
        document = self.document(uri)
        if seen is None or document is None or seen[0].text != document.text:
            return
        view, lines = seen
        self.session.remember(document, view)
        self._publish(uri, of_view(view, lines))
        path = self.session.filter_path
        shown = self.lines(self.session.text_of(path))
        self._publish(from_fs_path(path) or path, of_filter(view.filter_error, shown))

    def _publish(self, uri: str, found: Any) -> None:
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, list(found)))

    def changed(self) -> None:
        """All that is shown may be another: the filter, the run, or a file on the disk."""
        workspace = self.client_capabilities.workspace
        if workspace and workspace.code_lens and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)
        if workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)
        for document in self.workspace.text_documents.values():
            self.check(document.uri)

    async def watch(self) -> None:
        """Look for new runs as long as the server lives."""
        while True:
            began = time.monotonic()
            with waiting(self, "pomp-clang reads a run"):
                found, wrong = await self.session.look_for_run()
            for each in wrong:
                self.say(each, types.MessageType.Warning)
            if found:
                self.changed()
            spent = time.monotonic() - began
            await asyncio.sleep(max(_SHORTEST_PAUSE, _REST * spent))

    async def write(self, path: str, text: str) -> None:
        """A file's new text: in the editor where it is open, else on the disk."""
        uri = from_fs_path(path) or path
        if not self.session.is_open(path):
            await asyncio.to_thread(_save, path, text)
            return
        old = self.session.text_of(path)
        whole = types.Range(types.Position(0, 0), self.lines(old).end(old.count("\n")))
        edit = types.WorkspaceEdit(changes={uri: [types.TextEdit(whole, text)]})
        params = types.ApplyWorkspaceEditParams(edit, label="pomp-clang")
        await self.workspace_apply_edit_async(params)

    def page(self) -> str:
        """Where a report can be written to, until the server ends."""
        if self._pages is None:
            self._pages = tempfile.TemporaryDirectory(
                prefix="pomp-clang-", ignore_cleanup_errors=True
            )
        return os.path.join(self._pages.name, "report.html")

    async def end(self) -> None:
        """Nothing goes on, and nothing is left behind."""
        for task in self._tasks.values():
            task.cancel()
        await self.session.end()
        if self._pages is not None:
            self._pages.cleanup()


def _is_saved(path: str, text: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read() == text.encode("utf-8", "surrogateescape")
    except OSError:
        return False


def _save(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(text)
