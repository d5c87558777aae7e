"""The call paths of several processes as one tree, with a node for each place in the program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pomp_clang.analysis.callpaths import PathProfile, callpath_profile
from pomp_clang.experiment.find import processes, rank_of
from pomp_clang.experiment.model import Experiment, InclusionPlaces, Region
from pomp_clang.experiment.reader import read
from pomp_clang.export.region_names import name_of
from pomp_clang.progress import ProgressCallback

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
