"""A session as a person has it: open, choose, save, build, run, and see the numbers where the
constructs are by then."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from tests.lsp.harness import (
    ATOMIC,
    COMPILER,
    FIRST,
    PROGRAM,
    QUEUE,
    SECOND,
    SUM,
    Editor,
    build_and_run,
    start,
    workspace,
)

T = TypeVar("T")


def session(source: Path, body: Callable[[Editor], Awaitable[T]], **settings: str) -> T:
    """Return the body's result for an editor that has the source open."""

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


def test_what_is_chosen_back_leaves_the_filter_as_it_was(tmp_path: Path) -> None:
    source = workspace(tmp_path)
    users = "# ours\nPOMP_RULES_BEGIN\n  EXCLUDE construct=critical  # dear\nPOMP_RULES_END\n"
    (tmp_path / "pomp.filter").write_text(users)

    async def body(editor: Editor) -> None:
        assert (await editor.titles(QUEUE))[0] == "measure"
        await editor.click(FIRST, "leave out")
        await editor.click(QUEUE, "measure")
        assert (await editor.titles(QUEUE))[0] == "leave out"
        assert (tmp_path / "pomp.filter").read_text().startswith(users)
        await editor.click(FIRST, "measure")
        await editor.click(QUEUE, "leave out")

    session(source, body)
    assert (tmp_path / "pomp.filter").read_text() == users


def test_a_choice_follows_its_construct_when_another_is_written_before_it(tmp_path: Path) -> None:
    source = workspace(tmp_path)
    new = "#pragma omp parallel for\n    for (int i = 0; i < n; i++)\n        field[i] = 3;\n"

    async def body(editor: Editor) -> None:
        await editor.warned()
        await editor.click(SECOND, "leave out")
        lines = PROGRAM.split("\n")
        editor.edit("\n".join([*lines[:FIRST], *new.splitlines(), *lines[FIRST:]]))
        editor.save()

        async def states() -> list[str]:
            lenses = await editor.lenses()
            return [lenses[line][0].title for line in (FIRST, FIRST + 3, SECOND + 3)]

        await editor.until(states, lambda seen: seen == ["leave out", "leave out", "measure"])

    session(source, body)
    (rule,) = filter_of(source)
    assert "function=step nth=3 " in rule


def test_functions_and_whole_files(tmp_path: Path) -> None:
    source = workspace(tmp_path)
    main = PROGRAM.split("\n").index("int main(void)")

    async def body(editor: Editor) -> None:
        assert await editor.titles(main) == ["measure", "with its file"]
        await editor.click(main, "with its file")
        assert await editor.titles(main) == ["leave out", "with its file"]
        await editor.click(SUM, "with its file")
        lenses = await editor.lenses()
        assert {lenses[line][0].title for line in (SUM, FIRST, SECOND, QUEUE)} == {"measure"}
        assert lenses[main][0].title == "leave out"

    session(source, body)
    build_and_run(source)
    assert filter_of(source)[0].startswith("INCLUDE construct=function file=")


def test_code_actions_choose_what_stands_at_the_cursor(tmp_path: Path) -> None:
    source = workspace(tmp_path)

    async def body(editor: Editor) -> None:
        result = await editor.actions(QUEUE)
        assert [action.title for action in result] == [
            "pomp: leave out critical (queue)",
            "pomp: leave out all constructs of app.c",
        ]
        assert result[0].command is not None
        await editor.execute(result[0].command)
        assert (await editor.titles(QUEUE))[0] == "measure"
        await editor.warned()
        (alone, _) = await editor.actions(ATOMIC)
        assert alone.kind == "quickfix" and alone.diagnostics
        assert alone.command is not None
        await editor.execute(alone.command)
        await editor.until(editor.warnings, lambda item: not item)

    session(source, body)


def test_what_cannot_be_measured_is_a_warning_with_its_reason(tmp_path: Path) -> None:
    source = workspace(tmp_path)

    async def body(editor: Editor) -> None:
        (result,) = await editor.warned()
        assert (result.range.start.line, result.code) == (ATOMIC, "pomp-no-call")
        assert result.severity == 2 and result.source == "pomp-clang"
        editor.edit("\n\n" + PROGRAM)
        moved = await editor.until(
            editor.warnings, lambda seen: bool(seen) and seen[0].range.start.line != ATOMIC
        )
        assert [diagnostic.range.start.line for diagnostic in moved] == [ATOMIC + 2]

    session(source, body)


def test_why_nothing_is_shown_is_a_warning(tmp_path: Path) -> None:
    source = workspace(tmp_path)
    commands = tmp_path / "compile_commands.json"
    commands.write_text(commands.read_text().replace(f'"{COMPILER}"', '"no-compiler"'))

    async def body(editor: Editor) -> None:
        (result,) = await editor.warned()
        assert (result.range.start.line, result.code) == (0, "pomp-compiler")
        assert "no-compiler: not found" in result.message
        assert not await editor.lenses()
        commands.unlink()
        editor.edit('\n#include "nowhere.h"\n' + PROGRAM)
        (result,) = await editor.until(editor.warnings, lambda seen: seen[0].code == "pomp-parse")
        assert result.range.start.line == 1 and "'nowhere.h' file not found" in result.message
        editor.edit(PROGRAM)
        await editor.until(editor.warnings, lambda seen: seen[0].code == "pomp-no-call")

    session(source, body)


def test_a_text_that_cannot_be_parsed_is_shown_with_its_constructs(tmp_path: Path) -> None:
    source = workspace(tmp_path)

    async def body(editor: Editor) -> None:
        await editor.warned()
        editor.edit("int broken( {\n" + PROGRAM.replace("s += field[i];", "s += field[i"))
        lenses = await editor.lenses()
        assert {FIRST + 1, SECOND + 1, QUEUE + 1} <= lenses.keys()
        assert (await editor.titles(FIRST + 1))[-2:] == ["leave out", "with its file"]

    session(source, body)


def test_the_filter_may_be_open_in_the_editor(tmp_path: Path) -> None:
    source = workspace(tmp_path)
    path = tmp_path / "pomp.filter"

    async def body(editor: Editor) -> None:
        rules = Editor(editor.client, path)
        rules.open("plaintext")
        edits = editor.takes_edits()
        await editor.click(FIRST, "leave out")
        (edit,) = edits
        assert edit.changes is not None
        (change,) = edit.changes[path.as_uri()]
        assert "EXCLUDE construct=parallel_for function=step nth=1" in change.new_text
        assert path.read_text() == ""
        rules.edit(change.new_text)
        assert (await editor.titles(FIRST))[0] == "measure"
        rules.edit("POMP_RULES_BEGIN\nEXCLUDE frob=1\nPOMP_RULES_END\n")
        (result,) = await editor.warned(path)
        assert result.range.start.line == 1 and "'frob=1' is no condition" in result.message
        assert (await editor.titles(FIRST))[0] == "leave out"

    session(source, body)


def test_the_report_is_shown_as_a_page(tmp_path: Path) -> None:
    source = workspace(tmp_path)
    build_and_run(source)

    async def body(editor: Editor) -> Path:
        lenses = await editor.until(editor.lenses, lambda item: len(item[FIRST]) == 3)
        page = Path(str(await editor.execute(lenses[FIRST][0])))
        assert "parallel for" in page.read_text()
        return page

    assert not session(source, body).exists()


def test_an_experiment_may_be_named(tmp_path: Path) -> None:
    source = workspace(tmp_path)
    build_and_run(source)
    next(tmp_path.glob("pomp-app-*")).rename(tmp_path / "kept")
    build_and_run(source, "--pomp-disable=critical")

    async def body(editor: Editor) -> None:
        lenses = await editor.until(editor.lenses, lambda item: len(item[FIRST]) == 3)
        assert "2 calls" in lenses[QUEUE][0].title

    session(source, body, experiment="kept")


def test_a_header_is_shown_as_a_source_includes_it(tmp_path: Path) -> None:
    source = workspace(tmp_path)
    header = tmp_path / "kernel.h"
    header.write_text(
        "static void k(int n)\n{\n#pragma omp parallel num_threads(N)\n    { n = 0; }\n}\n"
    )
    source.write_text('#define N 2\n#include "kernel.h"\n' + PROGRAM.replace("t < 7", "t < N"))

    async def body(editor: Editor) -> None:
        opened = Editor(editor.client, header)
        opened.open()
        assert await opened.titles(2) == ["leave out", "with its file"]
        await opened.click(2, "leave out")
        assert await opened.titles(2) == ["measure", "with its file"]
        opened.edit("/* not saved */\n" + opened.text)
        assert await opened.titles(3) == ["measure", "with its file"]

    session(source, body)
    (rule,) = filter_of(source)
    assert rule.endswith(f"function=k nth=1 file=*/{tmp_path.name}/kernel.h")


def test_long_work_says_so(tmp_path: Path) -> None:
    source = workspace(tmp_path)
    slow = tmp_path / "slow-clang"
    once = f"[ -e {tmp_path}/slept ] || {{ touch {tmp_path}/slept; sleep 3; }}"
    slow.write_text(f'#!/bin/sh\n{once}\nexec {COMPILER} "$@"\n')
    slow.chmod(0o755)
    commands = tmp_path / "compile_commands.json"
    commands.write_text(commands.read_text().replace(f'"{COMPILER}"', f'"{slow}"'))

    async def body(editor: Editor) -> list[str]:
        await editor.lenses()
        reports = [report for some in editor.client.progress_reports.values() for report in some]
        begins: list[Any] = [report for report in reports if hasattr(report, "title")]
        return [report.title for report in begins]

    assert "pomp-clang reads app.c" in session(source, body)


def test_no_process_is_left_behind(tmp_path: Path) -> None:
    source = workspace(tmp_path)

    async def body(editor: Editor) -> list[int]:
        await editor.lenses()
        return children(editor.server)

    left = session(source, body)
    assert len(left) == 1
    until = time.monotonic() + 30
    while any(Path(f"/proc/{pid}").exists() for pid in left):
        assert time.monotonic() < until
        time.sleep(0.05)


def test_nothing_is_left_behind_by_an_editor_that_died(tmp_path: Path) -> None:
    source = workspace(tmp_path)
    build_and_run(source)

    async def whole() -> Path:
        client = await start(tmp_path)
        editor = Editor(client, source)
        editor.open()
        lenses = await editor.until(editor.lenses, lambda item: len(item[FIRST]) == 3)
        page = Path(str(await editor.execute(lenses[FIRST][0])))
        assert page.exists()
        server = client._server
        assert server is not None and server.stdin is not None
        server.stdin.close()
        assert await asyncio.wait_for(server.wait(), 60) == 0
        await client.stop()
        return page

    assert not asyncio.run(whole()).parent.exists()


def test_choices_made_at_once_are_all_kept(tmp_path: Path) -> None:
    source = workspace(tmp_path)

    async def body(editor: Editor) -> None:
        lenses = await editor.lenses()
        chosen = [lenses[line][0] for line in (SUM, FIRST, SECOND, QUEUE)]
        await asyncio.gather(*map(editor.execute, chosen))

    session(source, body)
    assert len(filter_of(source)) == 4


def test_a_reader_that_died_is_started_again(tmp_path: Path) -> None:
    source = workspace(tmp_path)

    async def body(editor: Editor) -> None:
        before = await editor.lenses()
        (worker,) = children(editor.server)
        os.kill(worker, signal.SIGKILL)
        editor.edit("\n" + PROGRAM)
        await editor.until(lambda: editor.titles(FIRST + 1), bool)
        editor.edit("\n\n" + PROGRAM)
        after = await editor.lenses()
        assert sorted(line + 2 for line in before) == sorted(after)

    session(source, body)


def test_each_of_many_changes_in_a_row_is_seen_as_it_is(tmp_path: Path) -> None:
    source = workspace(tmp_path)

    async def body(editor: Editor) -> None:
        for lines in range(1, 13):
            editor.edit("\n" * lines + PROGRAM)
            if lines % 3 == 0:
                assert FIRST + lines in await editor.lenses()
            else:
                await asyncio.sleep(0.05 * (lines % 8))

    session(source, body)


def children(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]
