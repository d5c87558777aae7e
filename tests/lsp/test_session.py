"""A session as a person has it: open, choose, save, build, run, and see the numbers where the
constructs are by then."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from tests.lsp.harness import (
    ATOMIC,
    FIRST,
    PROGRAM,
    QUEUE,
    SECOND,
    SUM,
    TEAM,
    Editor,
    build_and_run,
    start,
    workspace,
)

T = TypeVar("T")


def session(source: Path, body: Callable[[Editor], Awaitable[T]], **settings: str) -> T:
    """What the body makes of an editor that has the source open."""

    async def whole() -> T:
        client = await start(source.parent, **settings)
        try:
            editor = Editor(client, source)
            editor.open()
            return await body(editor)
        finally:
            await client.shutdown_session()
            await client.stop()

    return asyncio.run(whole())


def filter_of(source: Path) -> list[str]:
    lines = (source.parent / "pomp.filter").read_text().splitlines()
    return [line.strip() for line in lines if line.strip().startswith(("INCLUDE", "EXCLUDE"))]


def test_open_toggle_save_rebuild_run_and_see_the_numbers_after_an_edit_above(
    tmp_path: Path,
) -> None:
    source = workspace(tmp_path)

    async def body(editor: Editor) -> None:
        assert await editor.titles(FIRST) == ["leave out", "with its file"]
        await editor.click(SECOND, "leave out")
        assert await editor.titles(SECOND) == ["measure", "with its file"]
        editor.edit(PROGRAM.replace("* 0.5", "* 0.25").replace("*= 0.5", "*= 0.25"))
        editor.save()
        await asyncio.to_thread(build_and_run, source)
        seen = await editor.until(editor.lenses, lambda lenses: len(lenses[FIRST]) == 3)
        assert "7 calls" not in seen[FIRST][0].title and "14 calls" in seen[FIRST][0].title
        editor.edit("/* a line\n   and two more\n */\n" + editor.text)
        lenses = await editor.lenses()
        assert "14 calls" in lenses[FIRST + 3][0].title
        assert [c.title for c in lenses[SECOND + 3]] == ["measure", "with its file"]
        assert "2 calls" in lenses[SUM + 3][0].title
        assert "2 calls" in lenses[QUEUE + 3][0].title
        hints = await editor.hints()
        assert sorted(hints) == sorted({*hints} & {*lenses})
        assert "14 calls" in hints[FIRST + 3] and SECOND + 3 not in hints
        assert "execT" in await editor.hover(FIRST + 3)
        assert "Not in the run" in await editor.hover(SECOND + 3)

    session(source, body)
    assert filter_of(source) == [
        f"EXCLUDE construct=parallel_for function=step nth=2 file=*/{tmp_path.name}/app.c"
    ]
