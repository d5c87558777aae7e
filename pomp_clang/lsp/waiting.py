"""Work that takes long says so: $/progress from two seconds on."""

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
"""What is shown, or may be in a moment."""


@contextmanager
def waiting(server: LanguageServer, what: str) -> Iterator[None]:
    """While the block runs the editor shows `what`, if that takes longer than a moment."""
    window = server.client_capabilities.window
    if window is None or not window.work_done_progress or what in _shows:
        yield
        return
    over = asyncio.Event()
    show = asyncio.get_running_loop().create_task(_show(server, what, over))
    _shows[what] = show
    show.add_done_callback(lambda _: _shows.pop(what))
    try:
        yield
    finally:
        over.set()


async def _show(server: LanguageServer, what: str, over: asyncio.Event) -> None:
    """Never given up halfway: a request that the editor answers is not taken back."""
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
            progress.begin(token, types.WorkDoneProgressBegin(what))
            await over.wait()
            progress.end(token, types.WorkDoneProgressEnd())
