"""The processes of a job as JSON: each one's own document, and what they did together."""

from __future__ import annotations

import json
from typing import Any

from pomp_clang.analysis.job import Job
from pomp_clang.analysis.perturbation import perturbation
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.report.json_report import FORMAT
from pomp_clang.report.json_report import document as document_of
from pomp_clang.report.mpi import sums
from pomp_clang.report.options import Options


def render(job: Job, options: Options) -> str:
    return json.dumps(document(job, options), indent=1, allow_nan=False) + "\n"


def document(job: Job, options: Options) -> dict[str, Any]:
    first = job.processes[0].run.experiment
    return {
        "format": FORMAT,
        "program": first.program,
        "duration": job.duration,
        "size": job.size,
        "missing": list(job.missing),
        "mpi": sums(job.mpi),
        "processes": [
            {
                "rank": each.rank,
                "parts": each.run.parts(),
                **document_of(each.run.experiment, options, perturbation(each.run.experiment)),
            }
            for each in job.processes
        ],
        "regions": [_region(each) for each in job.regions[: options.top]],
    }


def _region(profile: RegionProfile) -> dict[str, Any]:
    names = [column.name for column in profile.columns]
    region = profile.region
    return {
        "kind": region.kind,
        "name": region.name,
        "sub_name": region.sub_name,
        "file": region.file,
        "begin_line1": region.begin_line1,
        "end_lineN": region.end_lineN,
        "function": region.function,
        "columns": names,
        "processes": [
            {"rank": row.tid, **dict(zip(names, row.values, strict=True))} for row in profile.rows
        ],
        "sum": dict(zip(names, profile.total, strict=True)),
    }
