"""The command that shows the whole report of the run, as a page."""

from __future__ import annotations

import asyncio

from lsprotocol import types
from pygls.uris import from_fs_path

from pomp_clang.lsp.server import Server
from pomp_clang.report.options import Options
from pomp_clang.report.produce import ReportError, Request, produce


async def show(server: Server) -> str:
    """Write the page and open it; returns where it is, or "" if there is none."""
    run = server.session.run
    if run is None:
        server.say("there is no experiment in this workspace: run an instrumented program first")
        return ""
    page = server.page()
    request = Request(run.directory, "html", page, "never", Options(everything=True))
    try:
        await asyncio.to_thread(produce, request)
    except ReportError as error:
        server.say(str(error), types.MessageType.Error)
        return ""
    window = server.client_capabilities.window
    if window and window.show_document and window.show_document.support:
        shown = types.ShowDocumentParams(from_fs_path(page) or page, external=True)
        await server.window_show_document_async(shown)
    else:
        server.say(f"the report is in {page}")
    return page
