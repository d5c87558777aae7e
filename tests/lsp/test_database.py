"""The command of a document."""

from __future__ import annotations

import json
from pathlib import Path

from pomp_clang.lsp.database import CompileEntry, Database
from pomp_clang.lsp.session import EditorSettings, Session


def database(folder: Path, *rows: dict[str, object], below: str = "") -> Database:
    place = folder / below
    place.mkdir(exist_ok=True)
    (place / "compile_commands.json").write_text(json.dumps(rows))
    return Database([str(folder)])


def test_a_command_as_a_text_or_as_words(tmp_path: Path) -> None:
    known = database(
        tmp_path,
        {"directory": str(tmp_path), "file": "a.c", "command": "gcc '-DX=a b' -c a.c"},
        {"directory": str(tmp_path), "file": "b.c", "arguments": ["clang", "-c", "b.c"]},
    )
    assert known.unit_of(str(tmp_path / "a.c")).command == ("gcc", "-DX=a b", "-c", "a.c")
    assert known.unit_of(str(tmp_path / "b.c")).command == ("clang", "-c", "b.c")


def test_a_command_that_was_seen_with_us_before_it_is_the_compilers(tmp_path: Path) -> None:
    command = "/opt/bin/pomp-clang --pomp-functions=all -- gcc -c a.c"
    known = database(tmp_path, {"directory": str(tmp_path), "file": "a.c", "command": command})
    assert known.unit_of(str(tmp_path / "a.c")).command == ("gcc", "-c", "a.c")


def test_it_may_stand_in_a_build_folder(tmp_path: Path) -> None:
    row: dict[str, object] = {
        "directory": str(tmp_path / "build"),
        "file": "../a.c",
        "command": "gcc -c ../a.c",
    }
    known = database(tmp_path, row, below="build")
    assert known.unit_of(str(tmp_path / "a.c")).source == "../a.c"


def test_it_is_read_again_when_it_has_changed(tmp_path: Path) -> None:
    row: dict[str, object] = {"directory": str(tmp_path), "file": "a.c", "command": "gcc -c a.c"}
    known = database(tmp_path, row)
    path = str(tmp_path / "a.c")
    assert known.unit_of(path).command[0] == "gcc"
    database(tmp_path, {**row, "command": "clang-19 -O2 -c a.c"})
    assert known.unit_of(path).command[0] == "clang-19"


def test_a_header_belongs_to_a_source_that_includes_it(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = []
    for name, text in (("a.c", "int x;"), ("b.c", '#include "sub/k.h"\n')):
        (tmp_path / name).write_text(text)
        rows.append({"directory": str(tmp_path), "file": name, "command": f"gcc -c {name}"})
    (tmp_path / "sub").mkdir()
    header = tmp_path / "sub" / "k.h"
    header.touch()
    assert database(tmp_path, *rows).unit_of(str(header)).source == "b.c"


def test_a_header_that_a_source_includes_only_now(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int x;\n")
    (tmp_path / "k.h").touch()
    row: dict[str, object] = {"directory": str(tmp_path), "file": "a.c", "command": "gcc -c a.c"}
    known = database(tmp_path, row)
    header = str(tmp_path / "k.h")
    assert known.unit_of(header).source == header
    (tmp_path / "a.c").write_text('#include "k.h"\n')
    known.forget()
    assert known.unit_of(header).source == "a.c"


def test_of_several_commands_of_a_source_the_first_counts(tmp_path: Path) -> None:
    row: dict[str, object] = {"directory": str(tmp_path), "file": "a.c"}
    known = database(
        tmp_path, {**row, "command": "gcc -c a.c"}, {**row, "command": "gcc -DB -c a.c"}
    )
    assert known.unit_of(str(tmp_path / "a.c")).command == ("gcc", "-c", "a.c")


def test_without_one_a_source_stands_for_itself(tmp_path: Path) -> None:
    path = str(tmp_path / "a.c")
    assert Database([str(tmp_path)]).unit_of(path) == CompileEntry(str(tmp_path), path)


def test_what_is_no_database_is_passed_by(tmp_path: Path) -> None:
    path = str(tmp_path / "a.c")
    for text in ("{", "{}", "[1, {}]", '[{"directory": 1, "file": "a.c", "command": "x"}]'):
        (tmp_path / "compile_commands.json").write_text(text)
        assert Database([str(tmp_path)]).unit_of(path).command == ()


def test_missing_commands_are_named_once(tmp_path: Path) -> None:
    session = Session([str(tmp_path)], EditorSettings())
    assert session.missing_commands().startswith("no compile_commands.json in the workspace: ")
    assert session.missing_commands() == ""
    database(tmp_path)
    assert Session([str(tmp_path)], EditorSettings()).missing_commands() == ""
