"""How other tools are told which region is meant, and of what kind it is."""

from __future__ import annotations

from pathlib import PurePath

from pomp_clang.experiment.model import CallPath, Experiment, Region
from pomp_clang.otf2.layout import Role
from pomp_clang.otf2.regions import ROLES

ROOT = "program"

_WORDS = {Role.TASK_WAIT: "taskwait"}


def name_of(region: Region, path: CallPath | None = None) -> str:
    """As Score-P names constructs: "!$omp critical (queue) @main.c:20"; functions by their name.

    The creation of a task is told apart from the task.
    """
    creates = path is not None and region.kind == "task" and not path.task
    return construct(region.kind, region.sub_name, region.file, region.begin_line1, creates)


def construct(kind: str, name: str, file: str, line: int, creates: bool = False) -> str:
    if kind == "function":
        return name
    named = f" ({name})" if name else ""
    mark = "" if kind == "region" else "!$omp "
    return f"{mark}{'create ' if creates else ''}{kind}{named} @{PurePath(file).name}:{line}"


def role_of(kind: str) -> str:
    """In CUBE's words."""
    role = next((ROLES[word] for word in kind.split() if word in ROLES), Role.CODE)
    return _WORDS.get(role) or role.name.lower().replace("_", " ")


def program_of(experiment: Experiment) -> str:
    return experiment.program or ROOT
