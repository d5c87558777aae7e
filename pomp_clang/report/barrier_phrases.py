"""Sentences on the source of implied barriers' times."""

from __future__ import annotations

from pomp_clang.analysis.overheads.barrier_sources import barrier_source
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.phrases import number


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
