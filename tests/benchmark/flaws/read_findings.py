"""The findings of a recorded run, as `pomp-clang report` and `pomp-clang analyze` rank them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from pomp_clang.causes.findings.analyze_experiments import analysed
from pomp_clang.causes.findings.finding import finding_title
from pomp_clang.causes.findings.findings import findings
from pomp_clang.causes.findings.predictions import (
    Gains,
    main_threads_of,
    predicting,
    remedies_of,
)
from pomp_clang.causes.properties.registry import properties
from pomp_clang.causes.run.run import silent
from pomp_clang.causes.run.run_warnings import oversubscribed
from pomp_clang.experiment.reader import read
from pomp_clang.report.model import profile_report
from pomp_clang.report.page.causes import processor_waits_in
from pomp_clang.report.run_conditions import run_conditions
from pomp_clang.report.text.first_screen import LEAST


@dataclass(frozen=True, slots=True)
class Said:
    """A finding: title, the lines of its places, seconds of all threads, share of these, and the
    gain in seconds."""

    title: str
    lines: tuple[int, ...]
    severity: float
    share: float
    gain: float | None


def of_profile(directory: str) -> tuple[list[Said], list[str]]:
    """Return the findings of a profile, and the warnings about the run."""
    report = profile_report(read(directory))
    findings = []
    for finding in report.findings:
        parts = finding.parts if finding.is_combined else (finding,)
        lines = tuple(part.profile.region.begin_line1 for part in parts if part.profile)
        gain = finding.gain(report.analysis.threads)
        findings.append(Said(finding.title, lines, finding.severity, finding.share, gain))
    return findings, [condition.text for condition in run_conditions(report, report.cost)]


def of_trace(directory: str) -> tuple[list[Said], list[str]]:
    """Return the findings of a trace, and the notes on it."""
    kinds = properties()
    analysed_run = analysed(directory, kinds, silent)
    cube, run = analysed_run.cube, analysed_run.run
    predicts = predicting([analysed_run])
    assert run is not None and predicts is not None
    total = cube.duration * len(cube.threads)
    read_findings = [
        Said(
            finding_title(cube, finding),
            tuple(
                cube.paths[one.path].line
                for one in (finding, *(finding.parts if finding.is_combined else ()))
            ),
            finding.severity,
            finding.severity / total,
            finding.gain,
        )
        for finding in findings(
            cube,
            10,
            partial(Gains(predicts, kinds).of, progress=silent),
            remedies_of(run, kinds),
            processor_waits_in((directory,)),
            main_threads_of({0: run}),
            LEAST,
        )
    ]
    return read_findings, oversubscribed({0: run})
