"""Names, paradigms and roles of regions for other tools."""

from __future__ import annotations

from pathlib import PurePath

from pomp_clang.experiment.model import CallPath, Experiment, Region
from pomp_clang.otf2.directives import ROLES
from pomp_clang.otf2.layout import RegionRole

ROOT = "program"

_WORDS = {RegionRole.TASK_WAIT: "taskwait"}


def name_of(region: Region, path: CallPath | None = None) -> str:
    """Return a region's name in Score-P's form, "!$omp critical (queue) @main.c:20"; a function's
    is its own. In a header that is included within a function, the place of inclusion follows.

    The creation of a task has another name than the task.
    """
    creates = path is not None and region.kind == "task" and not path.task
    name = construct(region.kind, region.sub_name, region.file, region.begin_line1, creates)
    places = " ".join(f"from {PurePath(file).name}:{line}" for file, line in region.included_from)
    return f"{name} ({places})" if places else name


def construct(kind: str, name: str, file: str, line: int, creates: bool = False) -> str:
    """Return the name of a construct, or of a function (`kind` "function")."""
    if kind == "function":
        return name
    named = f" ({name})" if name else ""
    mark = "" if kind == "region" else "!$omp "
    return f"{mark}{'create ' if creates else ''}{kind}{named} @{PurePath(file).name}:{line}"


def role_of(kind: str) -> str:
    """Return CUBE's word for a region's role."""
    role = next((ROLES[word] for word in kind.split() if word in ROLES), RegionRole.CODE)
    return _WORDS.get(role) or role.name.lower().replace("_", " ")


def paradigm_of(kind: str) -> str:
    """Return CUBE's word for the paradigm of a construct, function or region."""
    return {"function": "compiler", "region": "user"}.get(kind, "openmp")


def program_of(experiment: Experiment) -> str:
    return experiment.program or ROOT
