"""The facts of a run."""

from __future__ import annotations

import shlex

from pomp_clang.experiment.model import Experiment
from pomp_clang.report.barrier_phrases import barriers
from pomp_clang.report.mpi_facts import mpi_facts
from pomp_clang.report.phrases import number, until


def facts(e: Experiment, folder: str, duration: str) -> list[tuple[str, str]]:
    """List the known facts of a run; `duration` is formatted already."""
    facts_ = [
        ("Command line", shlex.join(e.command_line)),
        ("Started", e.start),
        ("Duration", until(duration, e.complete)),
        ("Threads", str(e.max_threads)),
        ("Processors", str(e.processors or "")),
        ("Process", f"{e.pid} on {e.host}" if e.host else str(e.pid)),
        ("OpenMP runtime", e.openmp_runtime),
        ("Barriers", barriers(e)),
        ("Clock", e.clock),
        *mpi_facts(e),
        ("Experiment", e.directory),
        ("Sources", folder),
    ]
    return [(name, value) for name, value in facts_ if value]


def run_line(e: Experiment, duration: str) -> str:
    """Return the facts that everybody asks for, in one line; `duration` is formatted already."""
    processors = f" on {number(e.processors, 'processor')}" if e.processors else ""
    facts_ = (
        until(duration, e.complete),
        number(e.max_threads, "thread") + processors,
        e.openmp_runtime,
        e.start[:16].replace("T", " "),
    )
    return " \N{MIDDLE DOT} ".join(filter(None, facts_))
