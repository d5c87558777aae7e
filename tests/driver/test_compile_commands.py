"""`--pomp-commands`: a compile_commands.json from the commands of a build."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pomp_clang.driver.command.classify import classify
from pomp_clang.driver.command.compile_commands import add_commands
from pomp_clang.lsp.database import Database


def add(command: str, path: Path) -> None:
    add_commands(classify(command.split()), str(path))


def test_a_parallel_build_has_every_command_once(tmp_path: Path) -> None:
    commands = [f"gcc -c -DN={n} {n % 12}.c -o {n % 12}.o" for n in range(24)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda command: add(command, tmp_path), commands))
    written = json.loads((tmp_path / "compile_commands.json").read_text())
    assert sorted(entry["file"] for entry in written) == sorted(f"{n}.c" for n in range(12))


def test_the_editor_reads_what_a_build_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    add("ccache gcc -fopenmp -O2 a.c b.c d.o -lm -o prog", tmp_path)
    add("gcc -fopenmp -O3 a.c b.c d.o -lm -o prog", tmp_path)
    known = Database([str(tmp_path)])
    assert not known.is_missing
    expected = ["gcc", "-fopenmp", "-O3", "b.c", "d.o", "-lm", "-o", "prog"]
    assert known.unit_of(str(tmp_path / "b.c")).command == tuple(expected)
    assert len(json.loads((tmp_path / "compile_commands.json").read_text())) == 2


def test_commands_without_a_source_are_not_added(tmp_path: Path) -> None:
    for command in ("gcc a.o -o a", "gcc -c a.S", "gcc -c -x c -"):
        add(command, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["{}", "no JSON"])
def test_another_content_stays_and_is_named(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "commands"
    file.write_text(text)
    add("gcc -c a.c", file)
    add("gcc -c a.c", tmp_path / "none" / "commands")
    lines = capsys.readouterr().err.splitlines()
    assert file.read_text() == text
    assert lines[0].startswith(
        f"pomp-clang: --pomp-commands: {file}: is no list of compile commands"
    )
    assert lines[1].endswith("No such file or directory; the command is not added")
