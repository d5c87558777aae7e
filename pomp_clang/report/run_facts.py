"""The facts of a run in a report's header: the program, the machine, a process's MPI calls, and how the
implied barriers were measured."""

from __future__ import annotations

import shlex
from typing import Any

from pomp_clang.analysis.overheads.barrier_sources import barrier_source
from pomp_clang.experiment.model import Experiment, MpiCalls, MpiProfile
from pomp_clang.report.phrases import number, thread_count, until


def barriers(experiment: Experiment) -> str:
    """Say how the implied barriers were measured; "" if no region has one. A program can have
    several kinds, because its files may be compiled differently."""
    source = barrier_source(experiment)
    phrases = []
    if source.by_ompt:
        phrases.append(f"as compiled, by OMPT, in {number(source.by_ompt, 'region')}")
    if source.missed:
        phrases.append(f"as compiled, not measured, in {number(source.missed, 'region')}")
    if source.arrival:
        phrases.append(f"by the threads' arrival, in {number(source.arrival, 'region')}")
    if source.explicit:
        mixed = f" in {number(source.explicit, 'region')}" if phrases else ""
        phrases.append(f"made explicit{mixed}")
    return "; ".join(phrases)


def missed_barriers(experiment: Experiment) -> str:
    """Warn of implied barriers without measured times; "" if there are none."""
    missed = barrier_source(experiment).missed
    if not missed:
        return ""
    return (
        f"The implied barriers of {number(missed, 'region')} were not measured: the OpenMP runtime "
        "has no OMPT, or another tool used it. --pomp-barriers=explicit does not need OMPT."
    )


def mpi_facts(experiment: Experiment) -> list[tuple[str, str]]:
    """List the facts on MPI; none of a program without MPI."""
    if experiment.mpi is None:
        return []
    return [
        ("MPI rank", rank_of(experiment.mpi)),
        ("MPI library", library_of(experiment.mpi)),
        *total_facts(experiment.mpi.total, experiment.mpi.volume),
    ]


def total_facts(total: MpiCalls, volume: str) -> list[tuple[str, str]]:
    return [
        ("MPI time", f"{total.mpiT:.6f} s, {total.initT:.6f} s in MPI_Init and MPI_Finalize"),
        ("MPI bytes", f"{total.inV} in, {total.outV} out ({volume or 'naive'})"),
        ("MPI calls", f"{total.recvC} recv, {total.sendC} send, {total.collC} collective"),
    ]


def library_of(mpi: MpiProfile) -> str:
    name = " ".join(mpi.library.split())
    return f"{name}, threads: {mpi.thread_level}" if name else ""


def rank_of(mpi: MpiProfile) -> str:
    return "" if mpi.rank is None else f"{mpi.rank} of {mpi.size}"


def mpi_header(experiment: Experiment) -> list[tuple[str, object]]:
    """List the rows on MPI as in ompP's header."""
    if experiment.mpi is None:
        return []
    total = experiment.mpi.total
    return [
        ("MPI my rank", "" if experiment.mpi.rank is None else experiment.mpi.rank),
        ("MPI num procs", "" if experiment.mpi.size is None else experiment.mpi.size),
        ("MPI hostname", experiment.host),
        ("MPI library", experiment.mpi.library),
        ("MPI thread level", experiment.mpi.thread_level),
        ("MPI volume", experiment.mpi.volume),
        ("MPI time", total.mpiT),
        ("MPI bytes in", total.inV),
        ("MPI bytes out", total.outV),
        ("MPI recv calls", total.recvC),
        ("MPI send calls", total.sendC),
        ("MPI collectives", total.collC),
    ]


def mpi_document(experiment: Experiment) -> dict[str, Any]:
    """Return the key `mpi` of the JSON report; none of a program without MPI."""
    if experiment.mpi is None:
        return {}
    return {
        "mpi": {
            "rank": experiment.mpi.rank,
            "size": experiment.mpi.size,
            "library": experiment.mpi.library,
            "thread_level": experiment.mpi.thread_level,
            "volume": experiment.mpi.volume,
            **sums(experiment.mpi.total),
        }
    }


def sums(total: MpiCalls) -> dict[str, float]:
    return {name: getattr(total, name) for name in (*SUMS, "initT")}


SUMS = ("mpiT", "inV", "outV", "recvC", "sendC", "collC")


def facts(experiment: Experiment, folder: str, duration: str) -> list[tuple[str, str]]:
    """List the known facts of a run; `duration` is formatted already."""
    facts_ = [
        ("Command line", shlex.join(experiment.command_line)),
        ("Started", experiment.start),
        ("Duration", until(duration, experiment.complete)),
        ("Threads", str(experiment.max_threads)),
        ("Processors", _processors(experiment)),
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


def _processors(experiment: Experiment) -> str:
    machine, usable = experiment.processors or "", experiment.usable_processors
    return f"{machine}, the process is bound to {usable}" if usable else str(machine)


def run_line(experiment: Experiment, duration: str) -> str:
    """Return the facts that everybody asks for, in one line; `duration` is formatted already."""
    usable = experiment.processors_of_threads
    processors = f" on {number(usable, 'processor')}" if usable else ""
    facts_ = (
        until(duration, experiment.complete),
        thread_count(experiment.max_threads, experiment.threads_at_once) + processors,
        experiment.openmp_runtime,
        experiment.start[:16].replace("T", " "),
    )
    return " \N{MIDDLE DOT} ".join(filter(None, facts_))
