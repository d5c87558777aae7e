"""The processes of a job as JSON: each one's own document, and what they did together."""

from __future__ import annotations

import json
from typing import Any

from pomp_clang.analysis.job import JobProfile, ProcessProfile
from pomp_clang.analysis.job.job_results import devices_of_job
from pomp_clang.analysis.job.process_similarity import Difference, Likeness, differences, likeness
from pomp_clang.analysis.perturbation import perturbation
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.report.json.profile import FORMAT
from pomp_clang.report.json.profile import document as document_of
from pomp_clang.report.json.target_and_steps import target
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from pomp_clang.report.run_facts import sums


def render(job: JobProfile, options: Options) -> str:
    """Write the document, a line per process, one process at a time: a document needs many times
    the memory of its text."""
    rest = _of_all(job, options)
    lines = [f"{_text(key)}: {_text(value)}" for key, value in rest.items()]
    processes = ",\n".join(_text(_process(process, options)) for process in job.processes)
    return "{\n" + ",\n".join([*lines, f'"processes": [\n{processes}\n]']) + "\n}\n"


def _text(value: object) -> str:
    return json.dumps(value, allow_nan=False)


def document(job: JobProfile, options: Options) -> dict[str, Any]:
    """Build the document that `render` writes."""
    processes = [_process(process, options) for process in job.processes]
    return {**_of_all(job, options), "processes": processes}


def _process(process: ProcessProfile, options: Options) -> dict[str, Any]:
    experiment = process.run.experiment
    report = profile_report(experiment, perturbation(experiment))
    return {
        "rank": process.rank,
        "parts": process.run.parts(),
        **document_of(report, options),
    }


def _of_all(job: JobProfile, options: Options) -> dict[str, Any]:
    first = job.processes[0].run.experiment
    use = devices_of_job(job)
    return {
        "format": FORMAT,
        "program": first.program,
        "duration": job.duration,
        "size": job.size,
        "missing": list(job.missing),
        "mpi": sums(job.mpi),
        **_similarity(job, likeness(job)),
        "differences": [_difference(difference) for difference in differences(job)],
        **({"target": target(use)} if use else {}),
        "regions": [_region(region) for region in job.regions[: options.top]],
    }


def _similarity(job: JobProfile, similarity: Likeness) -> dict[str, Any]:
    ranks = [process.rank for process in job.processes]
    return {
        "alike": similarity.are_similar,
        "furthest": {"rank": ranks[similarity.furthest[1]], "share": similarity.furthest[0]},
        "groups": [
            {"like": ranks[group.example], "ranks": [ranks[member] for member in group.members]}
            for group in similarity.groups
        ],
        "subjects": {
            name: {"least": subject.minimum, "most": subject.maximum, "difference": subject.width}
            for name, subject in similarity.subjects.items()
        },
        "exchange": similarity.exchange.part if similarity.exchange else None,
    }


def _difference(difference: Difference) -> dict[str, Any]:
    subject = (
        {"part": difference.subject}
        if isinstance(difference.subject, str)
        else {"region": difference.subject.id}
    )
    return {
        **subject,
        "least": {"rank": difference.minimum[1], "seconds": difference.minimum[0]},
        "median": difference.median,
        "mean": difference.mean,
        "most": {"rank": difference.maximum[1], "seconds": difference.maximum[0]},
        "difference": difference.seconds,
        "outliers": list(difference.out),
    }


def _region(profile: RegionProfile) -> dict[str, Any]:
    names = [column.name for column in profile.columns]
    region = profile.region
    return {
        "id": region.id,
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
