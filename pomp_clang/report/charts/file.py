"""A chart as a file of its own: SVG, which needs nothing, or PNG."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from pomp_clang.analysis.job import JobProfile, ProcessProfile, over_processes
from pomp_clang.analysis.job.process_similarity import likeness
from pomp_clang.analysis.run import analyze_run
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.charts import overhead_charts
from pomp_clang.report.charts.overhead_charts import colour, style_of_file
from pomp_clang.report.html.document import filled
from pomp_clang.report.job_facts import named_regions
from pomp_clang.report.output import ReportError
from pomp_clang.report.phrases import number
from pomp_clang.report.terminal import Terminal

NO_PNG = "png needs resvg-py: install pomp-clang[png]; svg needs nothing"

_SCALE = 2
"""Pixels of a PNG for each unit."""

_WIDTH = 480
_MOST_LETTERS = 52
_PIE_WIDTH, _PIE_HEIGHT = 148, 176
_ABREAST = 6


def svg(job: JobProfile, chart: str) -> str:
    program = job.processes[0].run.experiment.program or "program"
    chart_text = (_radar if chart == "radar" else _pies)(job)
    return filled(
        "chart.svg",
        style=style_of_file(),
        ground=colour("ground"),
        ink=colour("ink"),
        title=f"{program}: {_count_text(job)}",
        **chart_text,
    )


def _count_text(job: JobProfile) -> str:
    if len(job.processes) > 1:
        return number(len(job.processes), "process")
    return number(job.processes[0].run.threads, "thread")


def lone(experiment: Experiment) -> JobProfile:
    """Return a job of this process alone."""
    rank = experiment.mpi.rank if experiment.mpi else None
    return over_processes([ProcessProfile(rank or 0, analyze_run(experiment))], ())


def png(drawing: str) -> bytes:
    """Draw the SVG as PNG; ReportError if the package that draws it is not installed."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise ReportError(NO_PNG) from None
    return bytes(svg_to_bytes(svg_string=drawing, zoom=_SCALE))


def _radar(job: JobProfile) -> dict[str, Any]:
    drawn = overhead_charts.radar_of(job, named_regions(job))
    plain = Terminal(unicode=True)
    lines = tuple(
        replace(line, name=plain.shorten(line.name, _MOST_LETTERS)) for line in drawn.lines
    )
    center = 60 + overhead_charts.RADIUS + overhead_charts.MARGIN
    keys = center + overhead_charts.RADIUS + overhead_charts.MARGIN + 24
    return {
        "sub": f"Time in regions, as a share of the {drawn.unit} that has most.",
        "radar": replace(drawn, lines=lines),
        "radius": overhead_charts.RADIUS,
        "rings": overhead_charts.RINGS,
        "middle": center,
        "keys": keys,
        "width": _WIDTH,
        "height": keys + 20 * len(lines),
    }


def _pies(job: JobProfile) -> dict[str, Any]:
    drawn = overhead_charts.pies_of(job, likeness(job))
    abreast = max(3, min(_ABREAST, math.ceil(math.sqrt(len(drawn.pies)))))
    placed = [
        (
            16 + _PIE_WIDTH * (place % abreast + 0.5),
            70 + overhead_charts.PIE_RADIUS + _PIE_HEIGHT * (place // abreast),
            pie,
        )
        for place, pie in enumerate(drawn.pies)
    ]
    keys = 84 + _PIE_HEIGHT * math.ceil(len(drawn.pies) / abreast)
    return {
        "sub": "What is lost, by class of overhead: seconds of all threads, and % of their time.",
        "radar": None,
        "pies": drawn,
        "placed": placed,
        "radius": overhead_charts.PIE_RADIUS,
        "keys": keys,
        "width": max(_WIDTH + 64, 32 + _PIE_WIDTH * abreast),
        "height": keys + 20 * math.ceil(len(drawn.styles) / 3),
    }
