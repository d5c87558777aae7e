"""The properties as text: two lines for each significant one, a count of the others."""

from __future__ import annotations

from pomp_clang.experiment.model import Experiment, Measured
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.properties import FINDINGS, property_section
from tests.handmade import experiment, ocean, region


def _section(experiment: Experiment, width: int | None = None, top: int | None = None) -> list[str]:
    terminal = Terminal(unicode=True, width=width)
    return property_section(profile_report(experiment).findings, Options(top=top), terminal)


def test_a_narrow_terminal_is_not_exceeded_and_keeps_numbers_with_their_units() -> None:
    lines = _section(ocean(), width=60)
    assert max(map(len, lines)) <= 60
    assert not [line for line in lines if line.endswith(("38.5", "2.50"))]


def test_what_is_not_shown_is_counted() -> None:
    assert _section(ocean(), top=2)[-1] == "8 more findings not shown; --top 10 has them."


def test_unless_a_number_is_asked_for_there_are_not_more_than_a_person_reads() -> None:
    regions = [region(f"R{n:05}", "barrier", n) for n in range(1, 31)]
    run = experiment(regions, {(r.id, 0): Measured(1, 0.1) for r in regions})
    assert sum("barrier  main.c" in line for line in _section(run, top=30)) == 29
    lines = [line for line in _section(run) if "  main.c:" in line]
    assert len(lines) == FINDINGS - 1
    assert _section(run)[-1] == "11 more findings not shown; --all has them."


def test_an_advice_is_given_once() -> None:
    regions = [region(f"R{n:05}", "barrier", n) for n in range(1, 4)]
    run = experiment(regions, {(r.id, 0): Measured(1, 2.0) for r in regions})
    lines = _section(run)
    assert sum("Wait at a barrier" in line for line in lines) == 3
    assert sum("or remove an unneeded barrier" in line for line in lines) == 1


def test_what_is_small_is_counted_only() -> None:
    regions = [region("R1", "parallel", 1, 9)]
    profile = {("R1", t): Measured(1, 4.0, 1, 4.0, exitBarT=0.0001 * t) for t in range(4)}
    assert _section(experiment(regions, profile)) == [
        "in % of the whole program's time",
        "",
        "1 finding of less than 0.1 % each: see --all.",
    ]


def test_nothing_lost_is_said() -> None:
    regions = [region("R1", "parallel", 1, 9)]
    run = experiment(regions, {("R1", t): Measured(1, 4.0, 1, 4.0) for t in range(4)})
    assert _section(run) == ["No time was lost."]


def test_advice_without_evidence_says_how_to_try_it() -> None:
    advice = {}
    for kind in ("critical", "for", "barrier"):
        rows = {("R1", tid): Measured(9, 2.0, 9, 0.5 + tid, 1.0, exitBarT=1.0) for tid in range(2)}
        run = experiment([region("R1", kind, 3)], rows, threads=2)
        lines = property_section(profile_report(run).findings, Options(), Terminal())
        advice[kind] = " ".join(" ".join(lines).split())
    assert (
        "pomp-clang analyze predicts the time with a reduction or an atomic." in advice["critical"]
    )
    assert "pomp-clang schedules --filter selects the loop" in advice["for"]
    assert "predicts" not in advice["barrier"]
