"""The environment variables of a run, from the table that the runtime is built with."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.installed_files import installed_files

_ROW = re.compile(r'^SETTING\((\w+), (\w+), "([^"]*)", "([^"]*)"\)$', re.M)


@dataclass(frozen=True, slots=True)
class Setting:
    """An environment variable, its default ("" if there is none), and its effect."""

    name: str
    default: str
    effect: str


def read_settings() -> list[Setting]:
    """Return the rows of settings.def. Raises `ExperimentError` if the runtime is not installed."""
    for path in installed_files("runtime", "share", "settings.def"):
        with open(path, encoding="utf-8") as file:
            rows = _ROW.findall(file.read())
        return [Setting(name, default, effect) for name, _, default, effect in rows]
    raise ExperimentError("the runtime library is missing; reinstall pomp-clang")
