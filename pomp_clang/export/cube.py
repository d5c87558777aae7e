"""A profile as a .cubex of CUBE 4: metrics x call paths x threads.

It is a tar: anchor.xml says what there is, and of each metric N.index has the call paths that
N.data has values of, one for each thread.  All metrics are exclusive along the call paths.
"""

from __future__ import annotations

import io
import re
import struct
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from pomp_clang.analysis.callpaths import PathProfile, callpath_profile
from pomp_clang.analysis.profile import NOTHING
from pomp_clang.experiment.model import Experiment
from pomp_clang.experiment.reader import read
from pomp_clang.export.names import name_of, program_of, role_of

_INDEX = b"CUBEX.INDEX" + struct.pack("<ihB", 1, 0, 1)
_DATA = b"CUBEX.DATA"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class _Metric:
    """`of` is the profile's column that it is, where it is one."""

    name: str
    display: str
    unit: str
    of: str
    description: str

    @property
    def type(self) -> str:
        return "UINT64" if self.unit == "occ" else "DOUBLE"


_METRICS = (
    _Metric("visits", "Visits", "occ", "", "How often the region was entered"),
    _Metric("time", "Time", "sec", "", "Time in the region, without what it calls"),
    _Metric("wait_implicit_barrier", "Implicit barrier", "sec", "exitBarT", "Waiting at the barrier that the construct implies"),
    _Metric("wait_enter", "Wait to enter", "sec", "enterT", "Waiting for a critical, ordered or lock"),
    _Metric("exit", "Exit", "sec", "exitT", "Leaving a critical or ordered, releasing a lock"),
    _Metric("startup", "Startup", "sec", "startupT", "From the fork of a team to the begin of its region"),
    _Metric("shutdown", "Shutdown", "sec", "shutdwnT", "From the end of a region to the join of its team"),
    _Metric("task_time", "Tasks run in waits", "sec", "taskT", "Time of tasks that ran while the construct waited"),
    _Metric("blocks", "Blocks", "occ", "bodyC", "Sections and single blocks executed"),
)  # fmt: skip


def write(directory: str, output: Path, told: Callable[[float], None]) -> str:
    experiment = read(directory)
    profiles = callpath_profile(experiment)
    metrics = [*_METRICS, *_counters(experiment)]
    tids = [location.tid for location in experiment.locations]
    with tarfile.open(output, "w", format=tarfile.USTAR_FORMAT) as tar:
        _add(tar, "anchor.xml", "".join(_anchor(experiment, profiles, metrics)).encode())
        for number, metric in enumerate(metrics):
            _add(tar, f"{number}.index", _index(len(profiles) + 1))
            _add(tar, f"{number}.data", _data(experiment, profiles, metric, tids))
            told((number + 1) / len(metrics))
    return f"{len(metrics)} metrics, {len(profiles)} call paths, {len(tids)} threads"


def _counters(experiment: Experiment) -> Iterator[_Metric]:
    for name in experiment.counters.metrics if experiment.counters else ():
        yield _Metric(name, name, "occ", "", "Counted while the program ran")


def _add(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    tar.addfile(member, io.BytesIO(data))


def _index(nodes: int) -> bytes:
    return _INDEX + struct.pack(f"<i{nodes}i", nodes, *range(nodes))


def _data(
    experiment: Experiment, profiles: tuple[PathProfile, ...], metric: _Metric, tids: list[int]
) -> bytes:
    """The root comes first, which has nothing of its own but what was counted outside."""
    values = [_outside(experiment, metric, tid) for tid in tids]
    for profile in profiles:
        by_tid = {each.tid: each for each in profile.threads}
        for tid in tids:
            measured = experiment.callpath_profile.get((profile.path.id, tid), NOTHING)
            visits = by_tid.get(tid)
            if metric.name == "visits":
                values.append(visits.execC if visits else 0)
            elif metric.name == "time":
                values.append(visits.exclusive if visits else 0.0)
            elif metric.of:
                values.append(getattr(measured, metric.of))
            else:
                values.append(_counted(experiment, metric, profile.path.id, tid))
    kind = "Q" if metric.type == "UINT64" else "d"
    return _DATA + struct.pack(f"<{len(values)}{kind}", *values)


def _outside(experiment: Experiment, metric: _Metric, tid: int) -> int | float:
    known = {each.name for each in _METRICS}
    return 0 if metric.name in known else _counted(experiment, metric, "", tid)


def _counted(experiment: Experiment, metric: _Metric, path: str, tid: int) -> int:
    if experiment.counters is None:
        return 0
    place = experiment.counters.metrics.index(metric.name)
    return experiment.counters.values.get((path, tid), (0,) * (place + 1))[place]


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("?", text), {'"': "&quot;"})


def _anchor(
    experiment: Experiment, profiles: tuple[PathProfile, ...], metrics: list[_Metric]
) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<cube version="4.4">\n'
    yield '<attr key="Cube anchor.xml syntax version" value="4.4"/>\n'
    yield '<attr key="Creator" value="pomp-clang"/>\n<metrics>\n'
    yield from (_metric(number, metric) for number, metric in enumerate(metrics))
    yield "</metrics>\n<program>\n"
    yield _region(0, program_of(experiment), "", (-1, -1), "measurement", "artificial")
    callees: dict[tuple[str, str], int] = {}
    for profile in profiles:
        key = _callee(profile)
        if key not in callees:
            callees[key] = len(callees) + 1
            yield _callee_region(callees[key], profile)
    yield from _call_tree(profiles, callees)
    yield "</program>\n"
    yield from _system(experiment)
    yield "</cube>\n"


def _metric(number: int, metric: _Metric) -> str:
    return (
        f'<metric id="{number}" type="EXCLUSIVE">\n'
        f"<disp_name>{_text(metric.display)}</disp_name>\n"
        f"<uniq_name>{_text(metric.name)}</uniq_name>\n<dtype>{metric.type}</dtype>\n"
        f"<uom>{metric.unit}</uom>\n<url></url>\n<descr>{metric.description}</descr>\n</metric>\n"
    )


def _callee(profile: PathProfile) -> tuple[str, str]:
    """The creation of a task is a region of its own."""
    return profile.region.id, name_of(profile.region, profile.path)


def _callee_region(number: int, profile: PathProfile) -> str:
    region = profile.region
    _, name = _callee(profile)
    paradigm = {"function": "compiler", "region": "user"}.get(region.kind, "openmp")
    role = "task create" if name.startswith("!$omp create ") else role_of(region)
    lines = region.begin_line1, max(region.end_line1, region.end_lineN)
    return _region(number, name, region.file, lines, paradigm, role)


def _region(
    number: int, name: str, file: str, lines: tuple[int, int], paradigm: str, role: str
) -> str:
    return (
        f'<region id="{number}" mod="{_text(file)}" begin="{lines[0]}" end="{lines[1]}">\n'
        f"<name>{_text(name)}</name>\n<mangled_name>{_text(name)}</mangled_name>\n"
        f"<paradigm>{paradigm}</paradigm>\n<role>{role}</role>\n<url></url>\n<descr></descr>\n"
        "</region>\n"
    )


def _call_tree(
    profiles: tuple[PathProfile, ...], callees: dict[tuple[str, str], int]
) -> Iterator[str]:
    """Callers come before what they call: the paths' order is that of the tree."""
    yield '<cnode id="0" calleeId="0">\n'
    depth = 0
    for number, profile in enumerate(profiles, 1):
        yield "</cnode>\n" * (depth - profile.depth)
        depth = profile.depth + 1
        yield f'<cnode id="{number}" calleeId="{callees[_callee(profile)]}">\n'
    yield "</cnode>\n" * (depth + 1)


def _system(experiment: Experiment) -> Iterator[str]:
    host = _text(experiment.host or "machine")
    yield '<system>\n<systemtreenode Id="0">\n'
    yield f"<name>{host}</name>\n<class>machine</class>\n"
    yield f'<systemtreenode Id="1">\n<name>{host}</name>\n<class>node</class>\n'
    yield f'<locationgroup Id="0">\n<name>{_text(program_of(experiment))} {experiment.pid}</name>\n'
    yield "<rank>0</rank>\n<type>process</type>\n"
    for place, location in enumerate(experiment.locations):
        yield f'<location Id="{place}">\n<name>Thread {location.tid}</name>\n'
        yield f"<rank>{location.tid}</rank>\n<type>thread</type>\n</location>\n"
    yield "</locationgroup>\n</systemtreenode>\n</systemtreenode>\n</system>\n"
