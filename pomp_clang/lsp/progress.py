"""Progress of long work in the editor: $/progress after two seconds."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

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
