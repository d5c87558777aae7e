"""Settings of the user: from the editor, else from POMP_FLAGS."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from pomp_clang.driver.process.errors import DriverError

FILTER = "pomp.filter"


@dataclass(frozen=True, slots=True)
class EditorSettings:
    """The settings of an editor.

    `filter` and `experiment` are paths in the workspace; without `experiment` the newest run is
    shown. `functions` and `disable` have the meaning of the compile options. `compileCommands` is
    the database or its folder.
    """

    filter: str = FILTER
    functions: str = "none"
    disable: str = ""
    experiment: str = ""
    compileCommands: str = ""


def settings_of(options: object) -> tuple[EditorSettings, str]:
    """Return the settings, and the error in them in one line, or ""."""
    known, wrong = _from_flags()
    values: Mapping[str, Any] = options if isinstance(options, Mapping) else {}
    names = {field.name for field in fields(EditorSettings)}
    for name, value in values.items():
        if name not in names:
            continue
        if not isinstance(value, str):
            wrong = f"pomp.{name} is a text, not {value!r}"
        elif name == "functions" and value not in ("none", "all", "auto"):
            wrong = f"pomp.functions is none, auto or all, not '{value}'"
        elif value:
            known[name] = value
    return EditorSettings(**known), wrong


def _from_flags() -> tuple[dict[str, str], str]:
    from pomp_clang.driver.command.settings import read

    try:
        flags = read([])
    except DriverError as error:
        return {}, f"POMP_FLAGS: {error}"
    settings = {"functions": flags.functions, "disable": ",".join(sorted(flags.disabled))}
    if flags.filter:
        settings["filter"] = os.path.abspath(flags.filter)
    return settings, ""
