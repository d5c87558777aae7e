"""An experiment's places, named from the folder of its sources."""

from __future__ import annotations

from dataclasses import replace

from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.experiment.sources import below, folder_of


def common_folder(experiment: Experiment) -> str:
    """Return the folder that contains all sources with an absolute name; "" if there is none."""
    regions = experiment.regions
    including = (file for region in regions for file, _ in region.included_from)
    return folder_of([*(region.file for region in regions), *including])


def named_from(experiment: Experiment, folder: str) -> Experiment:
    """Return the experiment with the files below `folder` named from there."""
    if not folder:
        return experiment
    regions = tuple(named_region(region, folder) for region in experiment.regions)
    return replace(experiment, regions=regions)


def named_region(region: Region, folder: str) -> Region:
    """Return the region with its files named from the folder."""
    including = tuple((below(folder, file), line) for file, line in region.included_from)
    return replace(region, file=below(folder, region.file), included_from=including)
