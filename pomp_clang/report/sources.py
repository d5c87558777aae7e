"""Where the sources are: said once, so that every place can be short."""

from __future__ import annotations

import os
from dataclasses import replace

from pomp_clang.experiment.model import Experiment


def common_folder(experiment: Experiment) -> str:
    """The folder below which all sources with an absolute name stand; "" if there is none."""
    files = {r.file for r in experiment.regions if os.path.isabs(r.file)}
    folder = os.path.commonpath([os.path.dirname(f) for f in files]) if files else ""
    return folder if folder.count(os.sep) > 1 else ""


def named_from(experiment: Experiment, folder: str) -> Experiment:
    """The same experiment with the files below `folder` named from there."""
    if not folder:
        return experiment
    beginning = folder + os.sep
    regions = tuple(replace(r, file=r.file.removeprefix(beginning)) for r in experiment.regions)
    return replace(experiment, regions=regions)
