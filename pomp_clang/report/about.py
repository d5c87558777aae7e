"""What a report says of the run as such: facts, and what has to be known to read the rest."""

from __future__ import annotations

import shlex

from pomp_clang.experiment.model import Experiment
from pomp_clang.report.barriers import barriers, missed_barriers
from pomp_clang.report.mpi import mpi_facts
from pomp_clang.report.wording import number, until


def facts(e: Experiment, folder: str, duration: str) -> list[tuple[str, str]]:
    """`duration` is the run's as the report says times; what is not known is left out."""
    said = [
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
    return [(name, value) for name, value in said if value]


def warnings(e: Experiment) -> list[str]:
    """What is missing from the measurement, what is most severe first."""
    said = []
    if not e.complete:
        said.append("Incomplete: the program ended early; this is what was measured until then.")
    missed = missed_barriers(e)
    if missed:
        said.append(missed)
    dropped = sum(location.dropped for location in e.locations)
    if dropped:
        where = sum(1 for location in e.locations if location.dropped)
        said.append(f"{number(dropped, 'event')} of {number(where, 'thread')} had to be dropped.")
    return said


def hints(e: Experiment) -> list[str]:
    """What explains times that would surprise."""
    if e.processors is None or e.max_threads <= e.processors:
        return []
    return [
        f"{number(e.max_threads, 'thread')} on {number(e.processors, 'processor')}: "
        "when more of them run at once than there are processors they take turns, "
        "and their times hold the time that they were made to wait."
    ]
