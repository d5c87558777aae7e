"""Regions and call paths for other tools: names, paradigms and roles, and the call paths of several processes
as one tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from pomp_clang.analysis.callpaths import PathProfile, callpath_profile
from pomp_clang.experiment.find import processes, rank_of
from pomp_clang.experiment.model import CallPath, Experiment, InclusionPlaces, Region
from pomp_clang.experiment.reader import read
from pomp_clang.otf2.layout import ROLES, RegionRole
from pomp_clang.progress import ProgressCallback

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


_Key = tuple[str, str, str, int, int, int, str, InclusionPlaces]


@dataclass(frozen=True, slots=True)
class ProfiledProcess:
    """A process with its experiment; `rank` is 0 for a process outside a job."""

    rank: int
    experiment: Experiment


@dataclass(slots=True)
class CallPathNode:
    """A call path of the program.

    `profiles` are those of the processes that reach it, by the process's row; any of them has the
    node's region.
    """

    depth: int
    profiles: dict[int, PathProfile]
    below: dict[_Key, CallPathNode] = field(default_factory=dict)

    @property
    def any(self) -> PathProfile:
        return next(iter(self.profiles.values()))

    @property
    def name(self) -> str:
        return name_of(self.any.region, self.any.path)


def read_processes(directory: str, progress: ProgressCallback) -> list[ProfiledProcess]:
    """Read the processes of a job by rank, or the one process; `progress` takes the share read.

    Raises ExperimentError.
    """
    folders = processes(directory)
    if not folders:
        return [ProfiledProcess(0, read(directory))]
    profiled = []
    for place, folder in enumerate(folders):
        rank = rank_of(folder)
        profiled.append(ProfiledProcess(place if rank is None else rank, read(folder)))
        progress((place + 1) / len(folders))
    return profiled


def tree_of(processes: Sequence[ProfiledProcess]) -> list[CallPathNode]:
    """Return the nodes of the merged tree, callers first."""
    top: dict[_Key, CallPathNode] = {}
    for place, process in enumerate(processes):
        nodes: dict[str, CallPathNode] = {}
        for profile in callpath_profile(process.experiment):
            above = nodes.get(profile.path.above or "")
            siblings = above.below if above else top
            key = _key(profile)
            if key not in siblings:
                siblings[key] = CallPathNode(above.depth + 1 if above else 0, {})
            node = nodes[profile.path.id] = siblings[key]
            node.profiles.setdefault(place, profile)
    return [node for root in top.values() for node in _preorder(root)]


def _key(profile: PathProfile) -> _Key:
    region: Region = profile.region
    lines = region.begin_line1, region.end_lineN, region.begin_column
    name = name_of(region, profile.path)
    return (region.kind, region.sub_name, region.file, *lines, name, region.included_from)


def _preorder(node: CallPathNode) -> Iterator[CallPathNode]:
    pending = [node]
    while pending:
        last = pending.pop()
        yield last
        pending += reversed(last.below.values())
