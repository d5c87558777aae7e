"""Where the times of implied barriers come from, in words."""

from __future__ import annotations

from pomp_clang.analysis.barriers import barrier_source
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.wording import number


def barriers(experiment: Experiment) -> str:
    """Which were measured; nothing where no region has one.  A program can have both, as its
    files may be compiled differently."""
    source = barrier_source(experiment)
    said = []
    if source.told:
        said.append(f"as compiled, by OMPT, in {number(source.told, 'region')}")
    if source.missed:
        said.append(f"as compiled, not measured, in {number(source.missed, 'region')}")
    if source.arrival:
        said.append(f"by the threads' arrival, in {number(source.arrival, 'region')}")
    if source.explicit:
        mixed = f" in {number(source.explicit, 'region')}" if said else ""
        said.append(f"made explicit{mixed}")
    return "; ".join(said)


def missed_barriers(experiment: Experiment) -> str:
    """That there are barriers whose times nobody told; nothing where there are none."""
    missed = barrier_source(experiment).missed
    if not missed:
        return ""
    return (
        f"The barriers of {number(missed, 'region')} were not measured: in this run the OpenMP "
        "runtime had no OMPT for us, or another tool. --pomp-barriers=explicit needs none."
    )
