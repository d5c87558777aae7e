"""The facts of a run."""

from __future__ import annotations

import shlex

from pomp_clang.experiment.model import Experiment
from pomp_clang.report.barrier_phrases import barriers
from pomp_clang.report.mpi_facts import mpi_facts
from pomp_clang.report.phrases import number, until


def facts(experiment: Experiment, folder: str, duration: str) -> list[tuple[str, str]]:
    """List the known facts of a run; `duration` is formatted already."""
    facts_ = [
        ("Command line", shlex.join(experiment.command_line)),
        ("Started", experiment.start),
        ("Duration", until(duration, experiment.complete)),
        ("Threads", str(experiment.max_threads)),
        ("Processors", str(experiment.processors or "")),
        (
            "Process",
            f"{experiment.pid} on {experiment.host}" if experiment.host else str(experiment.pid),
        ),
        ("OpenMP runtime", experiment.openmp_runtime),
        ("Barriers", barriers(experiment)),
        ("Clock", experiment.clock),
        *mpi_facts(experiment),
        ("Experiment", experiment.directory),
        ("Sources", folder),
    ]
    return [(name, value) for name, value in facts_ if value]


def run_line(experiment: Experiment, duration: str) -> str:
    """Return the facts that everybody asks for, in one line; `duration` is formatted already."""
    processors = (
        f" on {number(experiment.processors, 'processor')}" if experiment.processors else ""
    )
    facts_ = (
        until(duration, experiment.complete),
        number(experiment.max_threads, "thread") + processors,
        experiment.openmp_runtime,
        experiment.start[:16].replace("T", " "),
    )
    return " \N{MIDDLE DOT} ".join(filter(None, facts_))
