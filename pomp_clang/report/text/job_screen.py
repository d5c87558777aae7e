"""The first screen of a job's report: its time over all processes, and the findings that cost most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pomp_clang.analysis.job import JobProfile
from pomp_clang.analysis.job.job_results import JobFinding, job_findings
from pomp_clang.analysis.job.process_similarity import likeness
from pomp_clang.analysis.properties import lasting
from pomp_clang.experiment.source_folder import common_folder, named_region
from pomp_clang.report.job_facts import job_conditions, joined_regions
from pomp_clang.report.options import Options
from pomp_clang.report.phrases import number, until, wrapped
from pomp_clang.report.process_phrases import sentences
from pomp_clang.report.run_conditions import plain_notes
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text.first_screen import (
    FINDINGS,
    HEADING,
    LEAST,
    MORE,
    NOT_PREDICTED,
    WIDTH,
    finding_lines,
    how_to_see_callers,
    shortened,
    time_shares,
    warning_lines,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.report.page.causes import Causes


def job_screen(
    job: JobProfile, options: Options, terminal: Terminal, causes: Causes | str | None = None
) -> str:
    """Render the first screen; `causes` is a text if they could not be computed."""
    conditions = [*job_conditions(job), *plain_notes([causes] if isinstance(causes, str) else [])]
    lines = [terminal.paint(shortened(_title(job), terminal), "title")]
    lines += warning_lines(conditions, terminal)
    lines += ["", terminal.paint("Where the threads' time went", "title")]
    lines += time_shares(_sums(job), job.totalT, terminal)
    if len(job.processes) > 1:
        verdict = sentences(job, likeness(job))[0]
        lines += ["", *wrapped(verdict, terminal.width or WIDTH, "")]
    lines += ["", *_findings(job, options, terminal, causes)]
    if causes is None:
        text = "Root causes: run with POMP_TRACE=1, then pomp-clang analyze."
        lines += ["", terminal.paint(text, "dim")]
    hints = MORE.replace("callpaths", "processes")
    lines += [terminal.paint(shortened(hints, terminal), "dim")]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _title(job: JobProfile) -> str:
    runs = [process.run for process in job.processes]
    complete = all(run.experiment.complete for run in runs)
    threads = number(sum(run.threads for run in runs), "thread")
    program = runs[0].experiment.program
    duration = until(lasting(job.duration), complete)
    return f"{program}: {duration} with {threads} in {number(job.size, 'process')}"


def _sums(job: JobProfile) -> Mapping[str, float]:
    """Return the seconds of all threads of the job by the key of the part."""
    sums: dict[str, float] = {}
    for process in job.processes:
        for key, seconds in process.run.parts().items():
            sums[key] = sums.get(key, 0.0) + seconds
    return sums


def _findings(
    job: JobProfile, options: Options, terminal: Terminal, causes: Causes | str | None
) -> list[str]:
    if causes is not None and not isinstance(causes, str):
        from pomp_clang.causes.cube.cube import named_from as named_cube
        from pomp_clang.report.text.cause_screen import worst_in_short

        folder = common_folder(joined_regions(job))
        cube = named_cube(causes.cube, folder)
        return worst_in_short(cube, causes.findings, terminal, options.top, "causes")
    findings = job_findings(job)
    shown_findings = [finding for finding in findings if finding.share >= LEAST][
        : options.at_most(FINDINGS)
    ]
    if not shown_findings:
        return ["No finding takes 0.5 % of the threads' time."]
    folder = common_folder(joined_regions(job))
    lines = [terminal.paint(HEADING, "title")]
    advised: set[str] = set()
    for rank, finding in enumerate(shown_findings, 1):
        lines += _finding(rank, finding, job, folder, advised, terminal)
        advised.add(finding.worst.advice)
    if any(finding.gain is None for finding in shown_findings):
        lines += ["", terminal.paint(NOT_PREDICTED, "dim")]
    run = job.processes[0].run.experiment
    if callers := how_to_see_callers(run, [finding.worst for finding in shown_findings]):
        lines += ["", terminal.paint(callers, "dim")]
    return lines


def _finding(
    place: int,
    finding: JobFinding,
    job: JobProfile,
    folder: str,
    advised: set[str],
    terminal: Terminal,
) -> list[str]:
    worst = finding.worst
    if worst.profile is not None and folder:
        region = worst.profile.region
        region = named_region(region, folder)
        worst = replace(worst, profile=replace(worst.profile, region=region))
    reason = finding.worst.text
    if len(job.processes) > 1:
        reason = f"Rank {finding.rank}: {reason}"
    return finding_lines(
        place,
        worst,
        (finding.share, finding.gain),
        reason,
        "" if finding.worst.advice in advised else finding.worst.advice,
        terminal,
    )
