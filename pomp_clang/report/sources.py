"""An experiment's places, named from the folder of its sources."""

from __future__ import annotations

from dataclasses import replace

from pomp_clang.experiment.model import Experiment
from pomp_clang.experiment.sources import below, folder_of


def common_folder(experiment: Experiment) -> str:
    """The folder below which all sources with an absolute name stand; "" if there is none."""
    return folder_of(each.file for each in experiment.regions)


def named_from(experiment: Experiment, folder: str) -> Experiment:
    """The same experiment with the files below `folder` named from there."""
    if not folder:
        return experiment
    regions = tuple(replace(r, file=below(folder, r.file)) for r in experiment.regions)
    return replace(experiment, regions=regions)
