"""What a person has set: in the editor, else in POMP_FLAGS."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from pomp_clang.driver.errors import DriverError

FILTER = "pomp.filter"


@dataclass(frozen=True, slots=True)
class Settings:
    """`filter` and `experiment` are paths in the workspace; without `experiment` it is the
    newest; `functions` and `disable` are as for a compile; `compileCommands` is the database or
    its folder."""

    filter: str = FILTER
    functions: str = "none"
    disable: str = ""
    experiment: str = ""
    compileCommands: str = ""


def settings_of(given: object) -> tuple[Settings, str]:
    """The settings, and what is wrong with them, in one line."""
    known, wrong = _from_flags()
    values: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    names = {each.name for each in fields(Settings)}
    for name, value in values.items():
        if name not in names:
            continue
        if not isinstance(value, str):
            wrong = f"pomp.{name} is a text, not {value!r}"
        elif name == "functions" and value not in ("none", "all", "auto"):
            wrong = f"pomp.functions is none, auto or all, not '{value}'"
        elif value:
            known[name] = value
    return Settings(**known), wrong


def _from_flags() -> tuple[dict[str, str], str]:
    from pomp_clang.driver.settings import read

    try:
        flags = read([])
    except DriverError as error:
        return {}, f"POMP_FLAGS: {error}"
    found = {"functions": flags.functions, "disable": ",".join(sorted(flags.disabled))}
    if flags.filter:
        found["filter"] = os.path.abspath(flags.filter)
    return found, ""
