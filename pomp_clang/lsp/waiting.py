"""Work that takes long says so: $/progress from two seconds on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from uuid import uuid4

from lsprotocol import types
from pygls.lsp.server import LanguageServer

SILENCE = 2.0


@asynccontextmanager
async def waiting(server: LanguageServer, what: str) -> AsyncIterator[None]:
    """While the block runs the editor shows `what`, if that takes longer than a moment."""
    window = server.client_capabilities.window
    if window is None or not window.work_done_progress:
        yield
        return
    token = str(uuid4())
    shown = asyncio.create_task(_show(server, token, what))
    try:
        yield
    finally:
        shown.cancel()
        with suppress(asyncio.CancelledError):
            await shown
        if token in server.work_done_progress.tokens:
            server.work_done_progress.end(token, types.WorkDoneProgressEnd())


async def _show(server: LanguageServer, token: str, what: str) -> None:
    await asyncio.sleep(SILENCE)
    await server.work_done_progress.create_async(token)
    server.work_done_progress.begin(token, types.WorkDoneProgressBegin(what))
