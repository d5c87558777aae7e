"""The report as CSV: ompP's sections, each between ##BEG x and ##END x.

Where a section of ours has one of ompP's it bears that name and its fields come in
that order, so that what reads ompP's files finds them.  Numbers are unrounded.  A row is a
line, whatever a name holds: control characters are written as escapes.
"""

from __future__ import annotations

import csv
import io
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pomp_clang.analysis.breakdown import break_down
from pomp_clang.analysis.callpaths import PathProfile, callpath_profile
from pomp_clang.analysis.counters import Counting, counting
from pomp_clang.analysis.overheads import Analysis, Lost, analyse, share
from pomp_clang.analysis.path_columns import column_profiles
from pomp_clang.analysis.perturbation import Perturbation
from pomp_clang.analysis.profile import RegionProfile, flat_profile
from pomp_clang.analysis.properties import find
from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.openmp.columns import Overhead
from pomp_clang.report.barriers import barriers
from pomp_clang.report.mpi import mpi_header
from pomp_clang.report.options import Options, ordered
from pomp_clang.report.terminal import printable
from pomp_clang.report.wording import number, place, what

REGION = ("id", "kind", "file", "begin", "end", "name", "function")


class Sections:
    """What is written, each section between its two marks."""

    def __init__(self) -> None:
        self.text = io.StringIO()
        self._writer = csv.writer(self.text, lineterminator="\n")

    def row(self, *values: object) -> None:
        self._writer.writerow(printable(v) if isinstance(v, str) else v for v in values)

    def pairs(self, pairs: Sequence[tuple[str, object]]) -> None:
        for pair in pairs:
            self.row(*pair)

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        self.text.write(f"##BEG {name}\n")
        yield
        self.text.write(f"##END {name}\n")


def render(experiment: Experiment, options: Options, cost: Perturbation | None = None) -> str:
    everything = profiles = flat_profile(experiment)
    analysis = analyse(experiment, profiles)
    if options.sort is not None:
        profiles = ordered(profiles, analysis, options.sort)
    profiles = profiles[: options.top]
    out = Sections()
    _header(out, experiment)
    with out.section("time of all threads"):
        out.row("part", "seconds")
        out.pairs(list(break_down(analysis).parts().items()))
    _overview(out, profiles)
    with out.section("flat region profiles"):
        for profile in profiles:
            _profile(out, profile)
    _callpaths(out, experiment, analysis.totalT)
    _overheads(out, analysis)
    _properties(out, everything, analysis)
    counted = counting(experiment)
    if counted is not None:
        _counters(out, counted)
    if cost is not None:
        _cost(out, cost, options.subtract)
    return out.text.getvalue()


def _header(out: Sections, e: Experiment) -> None:
    with out.section("header"):
        out.pairs(
            [
                ("Start Date", e.start),
                ("Duration", e.duration),
                ("Application Name", e.program),
                ("Command Line", shlex.join(e.command_line)),
                ("Type of Report", "final" if e.complete else "incomplete"),
                ("Max Threads", e.max_threads),
                ("Thread Count", len(e.locations)),
                *([("Processors", e.processors)] if e.processors else []),
                ("Events Dropped", sum(location.dropped for location in e.locations)),
                ("Process", e.pid),
                ("Host", e.host),
                ("OpenMP Runtime", e.openmp_runtime),
                ("Barriers", barriers(e)),
                ("Clock", e.clock),
                ("Experiment", e.directory),
                *mpi_header(e),
            ]
        )


def region_place(region: Region, running: bool = False) -> tuple[object, ...]:
    """The values of `REGION`."""
    r = region
    kind = f"{r.kind} (running)" if running else r.kind
    return (r.id, kind, r.file, r.begin_line1, r.end_lineN, r.sub_name, r.function)


def _path_place(path: PathProfile) -> tuple[object, ...]:
    return region_place(path.region, path.path.task)


def _overview(out: Sections, profiles: tuple[RegionProfile, ...]) -> None:
    with out.section("region counts"):
        out.row("kind", "regions")
        out.pairs(sorted(Counter(p.region.kind for p in profiles).items()))
    with out.section("region overview"):
        out.row(*REGION)
        for profile in profiles:
            out.row(*region_place(profile.region))


def _profile(out: Sections, profile: RegionProfile) -> None:
    with out.section(f"{profile.region.id} flat profile"):
        out.row(*region_place(profile.region))
        _columns(out, profile)


def _columns(out: Sections, profile: RegionProfile) -> None:
    out.row("TID", *(column.name for column in profile.columns))
    for row in profile.rows:
        out.row(row.tid, *row.values)
    out.row("SUM", *profile.total)


def _callpaths(out: Sections, experiment: Experiment, whole: float) -> None:
    """None in an experiment of the time before there were call paths."""
    paths = callpath_profile(experiment)
    if not paths:
        return
    with out.section("ompp callgraph"):
        out.row("Inclusive", "(%)", "Exclusive", "(%)", "level", *REGION)
        root = f"[{experiment.program}: {number(experiment.max_threads, 'thread')}]"
        own = max(0.0, whole - sum(path.exclusive for path in paths))
        out.row(whole, 100.0, own, 100 * share(own, whole), 0, root)
        for path in paths:
            times = (path.inclusive, path.exclusive)
            values = (value for time in times for value in (time, 100 * share(time, whole)))
            out.row(*values, path.depth + 1, *_path_place(path))
    with out.section("callgraph region profiles"):
        _path_profiles(out, experiment, paths)
    with out.section("call paths"):
        out.row("id", "above", "region", "task", "TID", "execC", "inclusive", "exclusive")
        for p in paths:
            known = (p.path.id, p.path.above or "", p.region.id, int(p.path.task))
            for each in p.threads:
                out.row(*known, each.tid, each.execC, each.inclusive, each.exclusive)
            out.row(*known, "SUM", p.execC, p.inclusive, p.exclusive)


def _path_profiles(out: Sections, experiment: Experiment, paths: tuple[PathProfile, ...]) -> None:
    """`+` stands before what has something below it, `=` before what has nothing."""
    inner = {path.path.above for path in paths}
    chain: list[PathProfile] = []
    for path, profile in zip(paths, column_profiles(experiment, paths), strict=True):
        chain = [*chain[: path.depth], path]
        with out.section(f"{path.region.id} callgraph profile"):
            out.row("[*00]", experiment.program)
            for level, each in enumerate(chain, 1):
                mark = "+" if each.path.id in inner else "="
                out.row(f"[{mark}{level:02d}]", *_path_place(each))
            _columns(out, profile)


def _overheads(out: Sections, analysis: Analysis) -> None:
    whole = analysis.totalT
    with out.section("overhead analysis report"):
        out.pairs(
            [
                ("Total runtime (wallclock) [secs]", analysis.duration),
                ("Number of threads", analysis.threads),
                ("Number of parallel regions", len(analysis.regions)),
                ("Parallel coverage [secs]", analysis.coverage),
                (
                    "Parallel coverage [percent]",
                    100 * share(analysis.coverage, analysis.duration),
                ),
            ]
        )
    with out.section("overheads for parallel region"):
        out.row(*_overhead_heading(analysis.classes))
        for c in analysis.regions:
            out.row(c.region.id, c.totalT, *_lost(c.lost, c.totalT, analysis.classes))
    with out.section("overheads for whole program"):
        out.row(*_overhead_heading(analysis.classes))
        for c in analysis.regions:
            out.row(c.region.id, c.totalT, *_lost(c.lost, whole, analysis.classes))
        out.row("(orphaned)", "", *_lost(analysis.orphaned, whole, analysis.classes))
        out.row("SUM", whole, *_lost(analysis.lost, whole, analysis.classes))


def _properties(out: Sections, profiles: tuple[RegionProfile, ...], analysis: Analysis) -> None:
    with out.section("ompp performance properties report"):
        out.row("property", "place", "severity", "id", "severity [secs]", "text")
        for f in find(profiles, analysis):
            region = f.profile.region if f.profile else None
            where = f"{what(region)} {place(region)}" if region else "program"
            out.row(f.name, where, f.share, region.id if region else "", f.severity, f.text)


def _counters(out: Sections, counted: Counting) -> None:
    with out.section("counters"):
        out.row("id", "TID", "metric", "inclusive", "exclusive")
        for each in counted.regions:
            for tid, own in [*each.threads.items(), ("SUM", each.total)]:
                for metric, *both in zip(
                    counted.metrics, own.inclusive, own.exclusive, strict=True
                ):
                    out.row(each.id, tid, metric.name, *both)
        for metric, outside in zip(counted.metrics, counted.outside, strict=True):
            out.row("(outside)", "SUM", metric.name, outside, outside)


def _cost(out: Sections, cost: Perturbation, subtracted: bool) -> None:
    with out.section("cost of the measurement"):
        out.row("id", "visits [secs]", "in execT [secs]")
        for each in cost.regions:
            out.row(each.region.id, each.own, each.within)
        out.row("SUM", cost.total, "")
        out.row("subtracted", int(subtracted), "")


def _overhead_heading(classes: tuple[Overhead, ...]) -> list[str]:
    names = ["Ovhds", *(overhead.value for overhead in classes)]
    return ["", "Total", *(text for name in names for text in (name, f"{name} (%)"))]


def _lost(lost: Lost, whole: float, classes: tuple[Overhead, ...]) -> list[float]:
    values = (lost.total, *map(lost.of, classes))
    return [x for value in values for x in (value, 100 * share(value, whole))]
