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
    if region.kind == "function":
        return region.sub_name
    name = f" ({region.sub_name})" if region.sub_name else ""
    place = f" @{PurePath(region.file).name}:{region.begin_line1}"
    creates = "create " if path and region.kind == "task" and not path.task else ""
    mark = "" if region.kind == "region" else "!$omp "
    return f"{mark}{creates}{region.kind}{name}{place}"


def role_of(region: Region) -> str:
    """In CUBE's words."""
    role = next((ROLES[word] for word in region.kind.split() if word in ROLES), Role.CODE)
    return _WORDS.get(role) or role.name.lower().replace("_", " ")


def program_of(experiment: Experiment) -> str:
    return experiment.program or ROOT
