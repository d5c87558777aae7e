"""A workspace with a program, and an editor on it: a client that speaks to a real server."""

from __future__ import annotations

import asyncio
import json
import shutil
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.builds.harness import CLANG, GCC, SCRIPTS, execute

pytest.importorskip("pygls")
pytest_lsp = pytest.importorskip("pytest_lsp")

from lsprotocol import types  # noqa: E402
from pytest_lsp import ClientServerConfig, LanguageClient  # noqa: E402

COMPILER = (CLANG if CLANG[0] else GCC)[0]

PROGRAM = """\
#include <stdio.h>

static double field[4096];

static double sum(int n)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s) schedule(static)
    for (int i = 0; i < n; i++)
        s += field[i];
    return s;
}

static void step(int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        field[i] += 1;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        field[i] *= 0.5;
}

int main(void)
{
    for (int t = 0; t < 7; t++)
        step(4096);
#pragma omp parallel
    {
#pragma omp critical(queue)
        field[0] += 1;
#pragma omp simd
        for (int i = 0; i < 8; i++) {
#pragma omp atomic
            field[i] += 1;
        }
    }
    printf("%d\\n", sum(4096) > 0);
    return 0;
}
"""
SUM, FIRST, SECOND, TEAM, QUEUE, ATOMIC = (
    [i for i, line in enumerate(PROGRAM.split("\n")) if line.startswith("#pragma omp")][k]
    for k in (0, 1, 2, 3, 4, 6)
)
"""The lines of its directives, from 0."""

T = TypeVar("T")
_PATIENCE = 60.0


FORTRAN = """\
module grid
contains
  subroutine Step(x)
    real, intent(inout) :: x(:)
    integer :: i
!$omp parallel do
    do i = 1, size(x)
      x(i) = x(i) + LIMIT
    end do
  end subroutine
  subroutine left_out(x)
    real, intent(inout) :: x(:)
    integer :: i
!$omp simd
    do i = 1, size(x)
!$omp atomic
      x(i) = x(i) + 1
    end do
  end subroutine
end module
program main
  use grid
  real :: x(100) = 0
  call step(x)
  call step(x)
end program
"""


def workspace(folder: Path, compiler: str = COMPILER, name: str = "app.c") -> Path:
    """Write the program with its compile_commands.json; return its path."""
    if not compiler:
        pytest.skip("no compiler with OpenMP is here")
    source = folder / name
    source.write_text(PROGRAM)
    command = {
        "directory": str(folder),
        "file": name,
        "arguments": [compiler, "-fopenmp", "-O1", "-c", name],
    }
    (folder / "compile_commands.json").write_text(json.dumps([command]))
    (folder / "pomp.filter").touch()
    return source


def fortran_workspace(folder: Path) -> Path:
    """Write a program in Fortran, build and run it; return its path."""
    if not shutil.which("gfortran"):
        pytest.skip("gfortran is not here")
    source = workspace(folder, "gfortran", "grid.F90")
    source.write_text(FORTRAN)
    commands = folder / "compile_commands.json"
    commands.write_text(commands.read_text().replace("-O1", "-DLIMIT=3"))
    command = [SCRIPTS / "pomp-clang", "--", "gfortran", "-fopenmp", "-DLIMIT=3", source.name]
    execute([*command, "-o", "app"], folder)
    execute(["./app"], folder)
    return source


def build_and_run(source: Path, *options: str, compiler: str = COMPILER) -> None:
    """Build and run as a user does, with the filter of the workspace."""
    flags = ["--pomp-filter=pomp.filter", *options]
    command = [SCRIPTS / "pomp-clang", *flags, "--", compiler, "-fopenmp", "-O1", source.name]
    execute([*command, "-o", "app"], source.parent)
    execute(["./app"], source.parent)


@dataclass
class Editor:
    """One document of a workspace in an editor."""

    client: LanguageClient
    source: Path
    text: str = ""
    version: int = 0

    @property
    def uri(self) -> str:
        return self.source.as_uri()

    def open(self, language: str = "c") -> None:
        self.text = self.source.read_text()
        item = types.TextDocumentItem(self.uri, language, self.version, self.text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def edit(self, text: str) -> None:
        """Change the buffer's text without saving it."""
        self.version, self.text = self.version + 1, text
        document = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    def save(self) -> None:
        self.source.write_text(self.text)
        document = types.TextDocumentIdentifier(self.uri)
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(document))

    async def lenses(self) -> dict[int, list[types.Command]]:
        """Return the lenses by line."""
        document = types.TextDocumentIdentifier(self.uri)
        result = await self.client.text_document_code_lens_async(types.CodeLensParams(document))
        by_line: dict[int, list[types.Command]] = {}
        for lens in result or []:
            assert lens.command is not None
            by_line.setdefault(lens.range.start.line, []).append(lens.command)
        return by_line

    async def titles(self, line: int) -> list[str]:
        return [command.title for command in (await self.lenses()).get(line, [])]

    async def click(self, line: int, title: str) -> None:
        """Click the lens with this title above a line."""
        command = next(c for c in (await self.lenses())[line] if c.title == title)
        await self.execute(command)

    async def execute(self, command: types.Command) -> object:
        params = types.ExecuteCommandParams(command.command, arguments=command.arguments)
        return await self.client.workspace_execute_command_async(params)

    async def hints(self) -> dict[int, str]:
        """Return the hints by line."""
        document = types.TextDocumentIdentifier(self.uri)
        end = types.Position(self.text.count("\n"), 0)
        range_ = types.Range(types.Position(0, 0), end)
        params = types.InlayHintParams(document, range_)
        result = await self.client.text_document_inlay_hint_async(params)
        return {hint.position.line: str(hint.label) for hint in result or []}

    async def hover(self, line: int) -> str:
        document = types.TextDocumentIdentifier(self.uri)
        params = types.HoverParams(document, types.Position(line, 3))
        result = await self.client.text_document_hover_async(params)
        if result is None:
            return ""
        assert isinstance(result.contents, types.MarkupContent)
        return result.contents.value

    async def actions(self, line: int) -> list[types.CodeAction]:
        document = types.TextDocumentIdentifier(self.uri)
        where = types.Range(types.Position(line, 0), types.Position(line, 0))
        known = [d for d in self.diagnostics() if d.range.start.line == line]
        params = types.CodeActionParams(document, where, types.CodeActionContext(known))
        result = await self.client.text_document_code_action_async(params)
        assert all(isinstance(action, types.CodeAction) for action in result or [])
        return [action for action in result or [] if isinstance(action, types.CodeAction)]

    def diagnostics(self, path: Path | None = None) -> list[types.Diagnostic]:
        uri = path.as_uri() if path else self.uri
        return list(self.client.diagnostics.get(uri, []))

    async def warnings(self) -> list[types.Diagnostic]:
        return self.diagnostics()

    @property
    def server(self) -> int:
        """The server's process."""
        assert self.client._server is not None
        return int(self.client._server.pid)

    def takes_edits(self) -> list[types.WorkspaceEdit]:
        """Return a list that receives the edits that the server requests from here on."""
        edits: list[types.WorkspaceEdit] = []

        @self.client.feature(types.WORKSPACE_APPLY_EDIT)
        def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            edits.append(params.edit)
            return types.ApplyWorkspaceEditResult(applied=True)

        return edits

    async def until(self, query: Callable[[], Awaitable[T]], holds: Callable[[T], bool]) -> T:
        """Ask repeatedly, and return the first answer for which `holds` is true."""
        until = time.monotonic() + _PATIENCE
        while True:
            seen = await query()
            if holds(seen):
                return seen
            assert time.monotonic() < until, f"never came: {seen}"
            await asyncio.sleep(0.1)

    async def warned(self, path: Path | None = None) -> list[types.Diagnostic]:
        """Return the diagnostics once there are some."""

        async def query() -> list[types.Diagnostic]:
            return self.diagnostics(path)

        return await self.until(query, bool)


async def start(folder: Path, **settings: str) -> LanguageClient:
    """Return a client whose server knows the workspace."""
    config = ClientServerConfig(server_command=[str(SCRIPTS / "pomp-clang"), "lsp"])
    client = await config.start()
    assert isinstance(client, LanguageClient)
    # lsprotocol takes an action that has a command for a command.
    client.protocol._converter.register_structure_hook(
        types.Command | types.CodeAction, lambda item, _: _action(client, item)
    )
    capabilities = types.ClientCapabilities(
        workspace=types.WorkspaceClientCapabilities(
            apply_edit=True,
            code_lens=types.CodeLensWorkspaceClientCapabilities(refresh_support=True),
        ),
        window=types.WindowClientCapabilities(work_done_progress=True),
    )
    await client.initialize_session(
        types.InitializeParams(
            capabilities=capabilities,
            workspace_folders=[types.WorkspaceFolder(folder.as_uri(), folder.name)],
            initialization_options=settings,
        )
    )
    return client


def _action(client: LanguageClient, action: dict[str, Any]) -> types.Command | types.CodeAction:
    kind: type[types.Command | types.CodeAction] = (
        types.Command if isinstance(action.get("command"), str) else types.CodeAction
    )
    structured: types.Command | types.CodeAction = client.protocol._converter.structure(
        action, kind
    )
    return structured
