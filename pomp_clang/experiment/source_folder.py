"""The common folder of a program's sources, so that places can be short."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace

from pomp_clang.experiment.model import Experiment, Region


def folder_of(files: Iterable[str]) -> str:
    """Return the folder that all files with an absolute name stand below, "" if there is none."""
    absolute = {file for file in files if os.path.isabs(file)}
    folder = os.path.commonpath([os.path.dirname(path) for path in absolute]) if absolute else ""
    return folder if folder.count(os.sep) > 1 else ""


def below(folder: str, file: str) -> str:
    """Return a file's name relative to the folder, if it stands below it."""
    return file.removeprefix(folder + os.sep) if folder else file


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
