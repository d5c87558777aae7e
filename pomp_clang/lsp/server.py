"""The server: requests of one editor, messages to it, and the progress of long work ($/progress
after two seconds)."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from typing import Any
from urllib.parse import unquote
from uuid import uuid4

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from pomp_clang.lsp.place import SourcePlace
from pomp_clang.lsp.session import Document, DocumentView, EditorSettings, Session, settings_of
from pomp_clang.lsp.source_annotations import DocumentLines, of_filter, of_view

SILENCE = 2.0

_shows: dict[str, asyncio.Task[None]] = {}
"""The messages that are shown, or wait for their two seconds."""


@contextmanager
def progress(server: LanguageServer, title: str) -> Iterator[None]:
    """Show `title` in the editor while the block runs, if that takes longer than two seconds."""
    window = server.client_capabilities.window
    if window is None or not window.work_done_progress or title in _shows:
        yield
        return
    over = asyncio.Event()
    show = asyncio.get_running_loop().create_task(_show(server, title, over))
    _shows[title] = show
    show.add_done_callback(lambda _: _shows.pop(title))
    try:
        yield
    finally:
        over.set()


async def _show(server: LanguageServer, title: str, over: asyncio.Event) -> None:
    """Show a message; runs to its end, because a request that the editor answers cannot be taken
    back.
    """
    try:
        await asyncio.wait_for(over.wait(), SILENCE)
    except TimeoutError:
        token = str(uuid4())
        progress = server.work_done_progress
        try:
            await progress.create_async(token)
        except JsonRpcException:
            return
        if not over.is_set():
            progress.begin(token, types.WorkDoneProgressBegin(title))
            await over.wait()
            progress.end(token, types.WorkDoneProgressEnd())


LANGUAGES = ("c", "cpp", "c++", "cuda", "fortran", "FortranFreeForm", "FortranFixedForm")
"""The names that editors have for the languages."""
_DELAY = 0.3
"""Seconds between the last keystroke and the check of a document."""
_SHORTEST_PAUSE = 1.0
_REST = 30
"""Ratio of the pause after a search for new runs to the search's time."""


class Server(LanguageServer):
    """The language server of one editor."""

    def __init__(self) -> None:
        # The whole text at each change: pygls takes a form feed for the end of a line.
        kind = types.TextDocumentSyncKind.Full
        super().__init__("pomp-clang", version("pomp-clang"), text_document_sync_kind=kind)
        self.session = Session([], EditorSettings())
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._pages: tempfile.TemporaryDirectory[str] | None = None
        self.choosing = asyncio.Lock()
        """Held from reading the filter's text to writing it."""

    def begin(self, options: object) -> None:
        """Begin a session with the settings of an editor."""
        folders = [to_fs_path(folder.uri) for folder in self.workspace.folders.values()]
        known = [folder for folder in folders or [self.workspace.root_path] if folder]
        settings, wrong = settings_of(options)
        session = Session(known, settings)
        for document in self.workspace.text_documents.values():
            session.opened(os.path.abspath(document.path), document.source)
        if wrong:
            self.say(wrong, types.MessageType.Warning)
        old, self.session = self.session, session
        self.later("end", old.end())

    def say(self, text: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Show a line to the user."""
        self.window_show_message(types.ShowMessageParams(kind, text))

    def later(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Start a task; cancel the earlier one of that name."""
        before = self._tasks.pop(name, None)
        if before is not None:
            before.cancel()
        self._tasks[name] = asyncio.get_running_loop().create_task(work)

    def document(self, uri: str) -> Document | None:
        """Return an open source or header; None for any other document."""
        document = self.workspace.text_documents.get(unquote(uri))
        if document is None or document.language_id not in LANGUAGES:
            return None
        path, text = os.path.abspath(document.path), document.source
        return Document(uri, path, text, _is_saved(path, text))

    def hold(self, uri: str) -> str:
        """Take the text of a document that was opened or changed; return its path."""
        document = self.workspace.get_text_document(uri)
        path = os.path.abspath(document.path)
        self.session.opened(path, document.source)
        if document.language_id in LANGUAGES:
            missing = self.session.missing_commands()
            if missing:
                self.say(missing)
        return path

    def release(self, uri: str) -> None:
        """Forget the text of a closed document."""
        self.session.closed(os.path.abspath(to_fs_path(uri) or uri))
        self._publish(uri, [])

    async def view(self, uri: str) -> tuple[DocumentView, DocumentLines] | None:
        """Return the view of a document's current text.

        If the text changes while it is analyzed, the analysis starts again with the newest one.
        """
        while (document := self.document(uri)) is not None:
            is_current = partial(self._is_current, document)
            with progress(self, f"pomp-clang reads {os.path.basename(document.path)}"):
                view = await self.session.view(document, is_current)
            if view is not None:
                return view, self.lines(document.text)
        return None

    def _is_current(self, document: Document) -> bool:
        known = self.workspace.text_documents.get(unquote(document.uri))
        return known is not None and known.source == document.text

    def lines(self, text: str) -> DocumentLines:
        return DocumentLines(text, self.workspace.position_codec.client_num_units)

    async def place(self, uri: str, id_: str) -> tuple[SourcePlace, DocumentView] | None:
        """Return a place of a document by its id."""
        seen = await self.view(uri)
        places = seen[0].places if seen else ()
        match = next((place for place in places if place.id == id_), None)
        return (match, seen[0]) if match and seen else None

    def check(self, uri: str) -> None:
        """Check a document after a pause in typing."""
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
        filter_lines = self.lines(self.session.text_of(path))
        self._publish(from_fs_path(path) or path, of_filter(view.filter_error, filter_lines))

    def _publish(self, uri: str, diagnostics: Any) -> None:
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, list(diagnostics))
        )

    def changed(self) -> None:
        """Refresh all that is shown, because the filter, the run, or a file on the disk changed."""
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
            with progress(self, "pomp-clang reads a run"):
                changed, wrong = await self.session.look_for_run()
            for error in wrong:
                self.say(error, types.MessageType.Warning)
            if changed:
                self.changed()
            duration = time.monotonic() - began
            await asyncio.sleep(max(_SHORTEST_PAUSE, _REST * duration))

    async def write(self, path: str, text: str) -> None:
        """Write a file's new text: in the editor if the file is open, else on the disk."""
        uri = from_fs_path(path) or path
        if not self.session.is_open(path):
            await asyncio.to_thread(_save, path, text)
            return
        old = self.session.text_of(path)
        everything = types.Range(types.Position(0, 0), self.lines(old).end(old.count("\n")))
        edit = types.WorkspaceEdit(changes={uri: [types.TextEdit(everything, text)]})
        params = types.ApplyWorkspaceEditParams(edit, label="pomp-clang")
        await self.workspace_apply_edit_async(params)

    def page(self) -> str:
        """Return a path for a report, which lives until the server ends."""
        if self._pages is None:
            self._pages = tempfile.TemporaryDirectory(
                prefix="pomp-clang-", ignore_cleanup_errors=True
            )
        return os.path.join(self._pages.name, "report.html")

    async def end(self) -> None:
        """End all tasks and remove temporary files."""
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
