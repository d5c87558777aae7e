"""The columns of call paths as text: which are shown, what leads to them, and what fits."""

from __future__ import annotations

import pytest

from pomp_clang.analysis.callpaths import callpath_profile
from pomp_clang.analysis.columns import COLUMNS
from pomp_clang.experiment.model import CallPath, Experiment, Measured
from pomp_clang.report.options import Options
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.callpaths import MOST, path_profile_section
from tests.handmade import call_paths, experiment, region

REGIONS = (
    region("R00001", "parallel", 10, 30),
    region("R00002", "for", 40, 50, function="work"),
    region("R00003", "critical", 45, 47, function="work", sub_name="sum"),
    region("R00004", "parallel", 60, 70),
    region("R00005", "single", 20, 22),
)
PATHS = call_paths("""
R00001
  R00002
    R00003
  R00005
R00004
  R00002
    R00003
""")
PROFILE = {
    ("C00001", 0): Measured(execC=1, execT=4.0, bodyT=3.75, startupT=0.25),
    ("C00001", 1): Measured(execC=1, execT=4.0, bodyT=3.5, startupT=0.5),
    ("C00002", 0): Measured(execC=1, execT=2.0, bodyT=1.5, exitBarT=0.5),
    ("C00003", 0): Measured(execC=10, execT=1.0, bodyT=0.75, enterT=0.25),
    ("C00004", 1): Measured(execC=1, execT=1.0, bodyT=1.0, bodyC=1),
    ("C00005", 0): Measured(execC=1, execT=1.0, bodyT=1.0),
    ("C00006", 0): Measured(execC=1, execT=0.75, bodyT=0.75),
    ("C00007", 0): Measured(execC=5, execT=0.5, bodyT=0.5),
}


def _section(experiment: Experiment, options: Options, terminal: Terminal) -> str:
    return "\n".join(
        path_profile_section(experiment, callpath_profile(experiment), options, terminal)
    )


def _experiment() -> Experiment:
    return experiment(REGIONS, {}, threads=2, callpaths=PATHS, callpath_profile=PROFILE)


def test_a_path_has_what_leads_to_it_and_the_columns_of_each_thread() -> None:
    text = _section(_experiment(), Options(), Terminal(unicode=True))
    assert text.split("\n\n")[1] == (
        "R00001  parallel      main.c:10-30\n"
        "R00002  └ for         main.c:40-50\n"
        " TID     execT     execC   bodyT/I   bodyT/E  exitBarT     taskT\n"
        "   0  2.000000         1  1.500000  0.500000  0.500000  0.000000\n"
        "   1  0.000000         0  0.000000  0.000000  0.000000  0.000000\n"
        " SUM  2.000000         1  1.500000  0.500000  0.500000  0.000000"
    )


def test_what_the_flat_profile_says_already_is_left_to_it_unless_all_is_asked_for() -> None:
    text = _section(_experiment(), Options(), Terminal())
    assert "R00005" not in text
    assert text.endswith("\n1 more call path not shown; --all has them.")
    everything = _section(_experiment(), Options(everything=True), Terminal())
    assert everything.count("TID") == len(PATHS)
    assert "not shown" not in everything


def test_of_many_paths_those_with_most_time_of_their_own_are_shown() -> None:
    regions = [region(f"R{n:05}", "parallel", n, 300) for n in range(2, 102)]
    paths = tuple(
        CallPath(f"C{2 * n + inner:05}", f"C{2 * n:05}" if inner else None, ident)
        for n in range(2, 102)
        for inner, ident in enumerate((f"R{n:05}", "R00001"))
    )
    regions.append(region("R00001", "critical", 400))
    profile = {
        (p.id, 0): Measured(execC=1, execT=0.001 if p.above else float(p.id[1:]), bodyT=9e9)
        for p in paths
    }
    run = experiment(regions, {}, threads=1, callpaths=paths, callpath_profile=profile)
    text = _section(run, Options(), Terminal())
    heads = [line[:6] for line in text.splitlines() if line.startswith("R")]
    assert heads == [f"R{n:05}" for n in range(102 - MOST, 102)]
    assert "190 more call paths not shown" in text
    assert _section(run, Options(everything=True), Terminal()).count("TID") == len(paths)


def test_of_a_deep_path_the_ends_are_shown() -> None:
    regions = [region(f"R{n:05}", "region", n, 99, sub_name=f"level{n}") for n in range(30)]
    paths = tuple(
        CallPath(f"C{n:05}", f"C{n - 1:05}" if n else None, f"R{n:05}") for n in range(30)
    )
    profile = {(p.id, 0): Measured(execC=1, execT=1000.0 - n) for n, p in enumerate(paths)}
    run = experiment(regions, {}, threads=1, callpaths=paths, callpath_profile=profile)
    last = _section(run, Options(everything=True), Terminal(unicode=True)).split("\n\n")[-1]
    head = last.split("\n TID")[0].splitlines()
    assert len(head) == 11
    assert head[2].strip() == "(20 levels not shown)"
    assert "level29" in head[-1]


@pytest.mark.parametrize("kind", sorted({*COLUMNS} - {"task"}))
@pytest.mark.parametrize("width", [80, 120])
def test_every_table_fits_the_terminal(kind: str, width: int) -> None:
    regions = (region("R00001", kind, 1, 9), region("R00002", "parallel", 2, 3))
    paths = call_paths("R00001\n  R00002")
    profile = {(p.id, 0): Measured(execC=10, execT=1234.5, bodyT=1000.0) for p in paths}
    run = experiment(regions, {}, callpaths=paths, callpath_profile=profile)
    text = _section(run, Options(everything=True), Terminal(width=width))
    assert max(map(len, text.splitlines())) <= width
