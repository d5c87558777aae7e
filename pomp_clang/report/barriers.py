"""Where the times of implied barriers come from, in words."""

from __future__ import annotations

from pomp_clang.analysis.barriers import barrier_source
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.wording import number


def barriers(experiment: Experiment) -> str:
    """Which were measured; nothing where no region was instrumented."""
    source = barrier_source(experiment)
    if source.told:
        return f"as compiled, by OMPT, in {number(source.told, 'region')}"
    if source.missed:
        return f"as compiled, not measured, in {number(source.missed, 'region')}"
    return "made explicit" if source.others else ""


def missed_barriers(experiment: Experiment) -> str:
    """That there are barriers whose times nobody told; nothing where there are none."""
    missed = barrier_source(experiment).missed
    if not missed:
        return ""
    return (
        f"The barriers of {number(missed, 'region')} were not measured: in this run the OpenMP "
        "runtime had no OMPT for us, or another tool. --pomp-barriers=explicit needs none."
    )
