"""An experiment's places, named from the folder of its sources."""

from __future__ import annotations

from dataclasses import replace

from pomp_clang.experiment.model import Experiment
from pomp_clang.experiment.sources import below, folder_of


def common_folder(experiment: Experiment) -> str:
    """Return the folder that contains all sources with an absolute name; "" if there is none."""
    return folder_of(region.file for region in experiment.regions)


def named_from(experiment: Experiment, folder: str) -> Experiment:
    """Return the experiment with the files below `folder` named from there."""
    if not folder:
        return experiment
    regions = tuple(replace(r, file=below(folder, r.file)) for r in experiment.regions)
    return replace(experiment, regions=regions)
