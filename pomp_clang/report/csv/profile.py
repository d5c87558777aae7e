"""The report as CSV: ompP's sections, each between ##BEG x and ##END x.

Sections and fields that ompP has, too, bear its names in its order: programs that read ompP's
files find them.  Numbers are unrounded.  A row is one line: control characters in names are
written as escapes.
"""

from __future__ import annotations

import csv
import io
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from pomp_clang.analysis.callpaths import PathProfile, column_profiles
from pomp_clang.analysis.columns import Overhead
from pomp_clang.analysis.device_use import DeviceUse
from pomp_clang.analysis.overheads import Lost, OverheadAnalysis, share
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.properties import separate
from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.report.json.target_and_steps import COLUMNS, DATA_COLUMNS
from pomp_clang.report.model import ProfileReport
from pomp_clang.report.options import Options, ordered
from pomp_clang.report.phrases import number, place, shown_parts, what, with_ascii_units
from pomp_clang.report.run_facts import barriers, mpi_header
from pomp_clang.report.sections import check_names
from pomp_clang.report.terminal import printable

REGION = ("id", "kind", "file", "begin", "end", "name", "function")


class Sections:
    """The text written so far; each section stands between two marks."""

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


def render(report: ProfileReport, options: Options) -> str:
    """Write the sections asked for, or all; `options` orders and limits the regions."""
    check_names([name for name, _ in SECTIONS], options.sections)
    out = Sections()
    for name, write in SECTIONS:
        if not options.sections or name in options.sections:
            write(out, report, options)
    return out.text.getvalue()


def _shown_regions(report: ProfileReport, options: Options) -> tuple[RegionProfile, ...]:
    profiles = report.profiles
    if options.sort is not None:
        profiles = ordered(profiles, report.analysis, options.sort)
    return profiles[: options.top]


def _header(out: Sections, report: ProfileReport, _: Options) -> None:
    experiment = report.experiment
    with out.section("header"):
        out.pairs(
            [
                ("Start Date", experiment.start),
                ("Duration", experiment.duration),
                ("Application Name", experiment.program),
                ("Command Line", shlex.join(experiment.command_line)),
                ("Type of Report", "final" if experiment.complete else "incomplete"),
                ("Max Threads", experiment.max_threads),
                ("Thread Count", len(experiment.locations)),
                *([("Processors", experiment.processors)] if experiment.processors else []),
                ("Events Dropped", sum(location.dropped for location in experiment.locations)),
                ("Process", experiment.pid),
                ("Host", experiment.host),
                ("OpenMP Runtime", experiment.openmp_runtime),
                ("Barriers", barriers(experiment)),
                ("Clock", experiment.clock),
                ("Experiment", experiment.directory),
                *mpi_header(experiment),
            ]
        )


def _parts(out: Sections, report: ProfileReport, _: Options) -> None:
    breakdown = report.breakdown
    values = breakdown.parts()
    with out.section("time of the threads"):
        out.row("part", "seconds", "share")
        for part in shown_parts(values):
            out.row(part.key, values[part.key], share(values[part.key], breakdown.totalT))


def region_place(region: Region, running: bool = False) -> tuple[object, ...]:
    """Return the values of the columns `REGION`."""
    kind = f"{region.kind} (running)" if running else region.kind
    return (
        region.id,
        kind,
        region.file,
        region.begin_line1,
        region.end_lineN,
        region.sub_name,
        region.function,
    )


def _path_place(path: PathProfile) -> tuple[object, ...]:
    return region_place(path.region, path.path.task)


def _overview(out: Sections, report: ProfileReport, options: Options) -> None:
    profiles = _shown_regions(report, options)
    with out.section("region counts"):
        out.row("kind", "regions")
        out.pairs(sorted(Counter(p.region.kind for p in profiles).items()))
    with out.section("region overview"):
        out.row(*REGION)
        for profile in profiles:
            out.row(*region_place(profile.region))


def _flat(out: Sections, report: ProfileReport, options: Options) -> None:
    with out.section("flat region profiles"):
        for profile in _shown_regions(report, options):
            _profile(out, profile)


def _profile(out: Sections, profile: RegionProfile) -> None:
    with out.section(f"{profile.region.id} flat profile"):
        out.row(*region_place(profile.region))
        _columns(out, profile)


def _columns(out: Sections, profile: RegionProfile) -> None:
    out.row("TID", *(column.name for column in profile.columns))
    for row in profile.rows:
        out.row(row.tid, *row.values)
    out.row("SUM", *profile.total)


def _callpath_tree(out: Sections, report: ProfileReport, _: Options) -> None:
    """Write the tree of call paths; an experiment of an old version has none."""
    experiment, paths, total = report.experiment, report.callpaths, report.analysis.totalT
    if not paths:
        return
    with out.section("ompp callgraph"):
        out.row("Inclusive", "(%)", "Exclusive", "(%)", "level", *REGION)
        root = f"[{experiment.program}: {number(experiment.max_threads, 'thread')}]"
        exclusive = max(0.0, total - sum(path.exclusive for path in paths))
        out.row(total, 100.0, exclusive, 100 * share(exclusive, total), 0, root)
        for path in paths:
            times = (path.inclusive, path.exclusive)
            values = (value for time in times for value in (time, 100 * share(time, total)))
            out.row(*values, path.depth + 1, *_path_place(path))


def _callpath_profiles(out: Sections, report: ProfileReport, _: Options) -> None:
    if report.callpaths:
        with out.section("callgraph region profiles"):
            _path_profiles(out, report.experiment, report.callpaths)


def _callpaths(out: Sections, report: ProfileReport, _: Options) -> None:
    """Write the times of each call path and thread."""
    paths = report.callpaths
    if not paths:
        return
    with out.section("call paths"):
        out.row("id", "above", "region", "task", "TID", "execC", "inclusive", "exclusive")
        for path in paths:
            known = (path.path.id, path.path.above or "", path.region.id, int(path.path.task))
            for thread in path.threads:
                out.row(*known, thread.tid, thread.execC, thread.inclusive, thread.exclusive)
            out.row(*known, "SUM", path.execC, path.inclusive, path.exclusive)


def _path_profiles(out: Sections, experiment: Experiment, paths: tuple[PathProfile, ...]) -> None:
    """Write each call path with its chain; `+` marks paths with children, `=` leaves."""
    inner = {path.path.above for path in paths}
    chain: list[PathProfile] = []
    for path, profile in zip(paths, column_profiles(experiment, paths), strict=True):
        chain = [*chain[: path.depth], path]
        with out.section(f"{path.region.id} callgraph profile"):
            out.row("[*00]", experiment.program)
            for level, ancestor in enumerate(chain, 1):
                mark = "+" if ancestor.path.id in inner else "="
                out.row(f"[{mark}{level:02d}]", *_path_place(ancestor))
            _columns(out, profile)


def _overheads(out: Sections, report: ProfileReport, _: Options) -> None:
    analysis: OverheadAnalysis = report.analysis
    total = analysis.totalT
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
        for charge in analysis.regions:
            out.row(
                charge.region.id,
                charge.totalT,
                *_loss_cells(charge.lost, charge.totalT, analysis.classes),
            )
    with out.section("overheads for whole program"):
        out.row(*_overhead_heading(analysis.classes))
        for charge in analysis.regions:
            out.row(
                charge.region.id, charge.totalT, *_loss_cells(charge.lost, total, analysis.classes)
            )
        out.row("(orphaned)", "", *_loss_cells(analysis.orphaned, total, analysis.classes))
        out.row("SUM", total, *_loss_cells(analysis.lost, total, analysis.classes))


def _properties(out: Sections, report: ProfileReport, _: Options) -> None:
    with out.section("ompp performance properties report"):
        out.row("property", "place", "severity", "id", "severity [secs]", "text")
        for finding in separate(report.findings):
            region = finding.profile.region if finding.profile else None
            where = f"{what(region)} {place(region)}" if region else "program"
            out.row(
                finding.name,
                where,
                finding.share,
                region.id if region else "",
                finding.severity,
                with_ascii_units(finding.text),
            )


def _counters(out: Sections, report: ProfileReport, _: Options) -> None:
    counted = report.counted
    if counted is None:
        return
    with out.section("counters"):
        out.row("id", "TID", "metric", "inclusive", "exclusive")
        for region in counted.regions:
            for tid, values in [*region.threads.items(), ("SUM", region.total)]:
                for metric, *both in zip(
                    counted.metrics, values.inclusive, values.exclusive, strict=True
                ):
                    out.row(region.id, tid, metric.name, *both)
        for metric, outside in zip(counted.metrics, counted.outside, strict=True):
            out.row("(outside)", "SUM", metric.name, outside, outside)


def _target(out: Sections, report: ProfileReport, _: Options) -> None:
    write_target(out, report.devices)


def write_target(out: Sections, use: DeviceUse | None) -> None:
    """Write the target constructs and the data that they moved."""
    if use is None:
        return
    with out.section("target constructs"):
        out.row("id", "device", "execC", "hostC", *COLUMNS)
        for construct in use.constructs:
            ident = construct.region.id if construct.region else "(outside)"
            known = (construct.execC, "" if construct.hostC is None else construct.hostC)
            for device, activity in construct.devices.items():
                out.row(ident, device, "", "", *(getattr(activity, name) for name in COLUMNS))
            out.row(ident, "SUM", *known, *(getattr(construct.total, name) for name in COLUMNS))
    with out.section("data moved"):
        out.row("id", "device", "address", "name", "bytes", *DATA_COLUMNS)
        for construct in use.constructs:
            ident = construct.region.id if construct.region else "(outside)"
            for moved in construct.data:
                values = (getattr(moved.activity, name) for name in DATA_COLUMNS)
                address = moved.address if moved.is_one else "others"
                out.row(ident, moved.device, address, moved.name, moved.bytes, *values)


def _cost(out: Sections, report: ProfileReport, options: Options) -> None:
    cost = report.cost
    if cost is None:
        return
    with out.section("cost of the measurement"):
        out.row("id", "visits [secs]", "in execT [secs]")
        for region in cost.regions:
            out.row(region.region.id, region.exclusive, region.within)
        out.row("SUM", cost.total, "")
        out.row("subtracted", int(options.subtract), "")


def _overhead_heading(classes: tuple[Overhead, ...]) -> list[str]:
    names = ["Ovhds", *(overhead.value for overhead in classes)]
    return ["", "Total", *(text for name in names for text in (name, f"{name} (%)"))]


def _loss_cells(lost: Lost, total: float, classes: tuple[Overhead, ...]) -> list[float]:
    values = (lost.total, *map(lost.of, classes))
    return [x for value in values for x in (value, 100 * share(value, total))]


SECTIONS: tuple[tuple[str, Callable[[Sections, ProfileReport, Options], None]], ...] = (
    ("general", _header),
    ("parts", _parts),
    ("overview", _overview),
    ("regions", _flat),
    ("callpaths", _callpath_tree),
    ("callpath-regions", _callpath_profiles),
    ("callpaths", _callpaths),
    ("overheads", _overheads),
    ("properties", _properties),
    ("counters", _counters),
    ("target", _target),
    ("measurement", _cost),
)
"""The writers in their order, by the names of the sections in the text report."""
