"""The extension for VS Code says what the server says; its own tool packages it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from pomp_clang.driver.command.options import LANGUAGES
from pomp_clang.lsp.session import EditorSettings

REPOSITORY = Path(__file__).resolve().parents[2]
FOLDER = REPOSITORY / "editors" / "vscode"
SCRIPT = (FOLDER / "extension.js").read_text()
PACKAGE: dict[str, Any] = json.loads((FOLDER / "package.json").read_text())
CONTRIBUTES = PACKAGE["contributes"]


def test_its_settings_are_the_servers() -> None:
    declared = {name.removeprefix("pomp.") for name in CONTRIBUTES["configuration"]["properties"]}
    handed = re.search(r"SETTINGS = \[(.*?)\]", SCRIPT)
    assert handed
    assert set(re.findall(r"'(\w+)'", handed[1])) == {
        field.name for field in fields(EditorSettings)
    }
    assert declared == {field.name for field in fields(EditorSettings)} | {"command"}


def test_each_of_its_commands_is_the_servers_or_its_own() -> None:
    pytest.importorskip("pygls")
    from pomp_clang.lsp.features import make

    servers = set(make().protocol.fm.commands)
    client_commands = set(re.findall(r"registerCommand\('([\w.]+)'", SCRIPT))
    assert not servers & client_commands  # the client registers the server's
    assert {command["command"] for command in CONTRIBUTES["commands"]} <= servers | client_commands
    assert "pomp.showReport" in servers


def test_version_and_licence_are_the_projects() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    assert (PACKAGE["version"], PACKAGE["license"]) == (project["version"], project["license"])
    assert (FOLDER / "LICENSE").read_text() == (REPOSITORY / "LICENSE").read_text()


def test_what_it_loads_is_there() -> None:
    assert PACKAGE["main"] == "./extension.js"
    loaded = set(re.findall(r"require\('([\w-]+)", SCRIPT)) - {"vscode", "child_process"}
    assert loaded == set(PACKAGE["dependencies"])


def test_its_script_can_be_read_by_node() -> None:
    if not shutil.which("node"):
        pytest.skip("node is not here")
    result = subprocess.run(["node", "--check", FOLDER / "extension.js"], capture_output=True)
    assert result.returncode == 0, result.stderr


def test_it_knows_fortran_without_another_extension() -> None:
    """VS Code itself has no Fortran, so a source would be plain text and no server would start."""
    languages = {row["id"]: row["extensions"] for row in CONTRIBUTES["languages"]}
    assert {f"onLanguage:{name}" for name in languages} <= set(PACKAGE["activationEvents"])
    endings = [ending.removeprefix(".") for row in languages.values() for ending in row]
    fortran = {ending for ending, language in LANGUAGES.items() if language.startswith("f95")}
    assert {ending.lower() for ending in endings} == {ending.lower() for ending in fortran}
    assert len(endings) == 2 * len({ending.lower() for ending in endings})
