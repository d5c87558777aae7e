"""Opening of an experiment: the directory of a run or of a job."""

from __future__ import annotations

import os

from pomp_clang.analysis.job import job_of, region_key
from pomp_clang.api.opened_experiment import OpenedExperiment, of_one_process, opened
from pomp_clang.experiment.find import find, processes
from pomp_clang.experiment.reader import ExperimentError, read


def open_experiment(directory: str | os.PathLike[str] | None) -> OpenedExperiment:
    """Read the experiment; None is the newest one in the current folder.

    Raises ExperimentError (one line) if it cannot be read.
    """
    try:
        place = find(None if directory is None else os.fspath(directory))
        ranks = processes(place)
        return of_job(place, ranks) if ranks else of_one_process(read(place))
    except ExperimentError as error:
        raise ExperimentError(" ".join(str(error).split())) from None


def of_job(place: str, directories: list[str]) -> OpenedExperiment:
    """Return the experiment of a job's processes; those that cannot be read are missing."""
    job = job_of(directories)
    if not job.processes:
        raise ExperimentError(job.missing[0])
    regions = tuple(profile.region for profile in job.regions)
    rows = {region_key(region): row for row, region in enumerate(regions)}
    parts = [
        (
            process.rank,
            process.run.experiment,
            {region.id: rows[region_key(region)] for region in process.run.experiment.regions},
        )
        for process in job.processes
    ]
    return opened(place, parts, regions, job.missing)
