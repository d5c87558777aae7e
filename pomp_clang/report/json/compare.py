"""Two runs compared, as JSON: the contract of docs/reference/json-diff.md."""

from __future__ import annotations

import json
import math
from typing import Any

from pomp_clang.analysis.comparison import ComparedRegion, RegionInRun
from pomp_clang.analysis.comparison.rank_sum import RepeatedValues
from pomp_clang.analysis.comparison.repetitions import Repetitions
from pomp_clang.analysis.comparison.verdicts import (
    ConditionVerdict,
    PropertyChange,
    property_changes,
)
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.properties import PropertyFinding
from pomp_clang.analysis.run import AnalyzedRun
from pomp_clang.report.cause_changes import CauseChangeRow, CauseChanges
from pomp_clang.report.run_conditions import document as conditions_document
from pomp_clang.report.run_conditions import run_conditions

FORMAT = 1


def render(
    a: AnalyzedRun,
    b: AnalyzedRun,
    regions: tuple[ComparedRegion, ...],
    held: tuple[ConditionVerdict, ...] = (),
    causes: CauseChanges | None = None,
    repetitions: Repetitions | None = None,
) -> str:
    return json.dumps(document(a, b, regions, held, causes, repetitions), indent=1) + "\n"


def document(
    a: AnalyzedRun,
    b: AnalyzedRun,
    regions: tuple[ComparedRegion, ...],
    held: tuple[ConditionVerdict, ...] = (),
    causes: CauseChanges | None = None,
    repetitions: Repetitions | None = None,
) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "a": run_head(a),
        "b": run_head(b),
        "regions": [_region(region) for region in regions],
        "properties": [_property(property_change) for property_change in property_changes(a, b)],
        "failed": [_failed(verdict) for verdict in held],
        "repetitions": _repetitions(repetitions),
        "causes": None if causes is None or causes.note else [_cause(e) for e in causes.rows],
    }


def _repetitions(repetitions: Repetitions | None) -> dict[str, Any] | None:
    """Return the runs of both sides with the confidence of the change of their duration."""
    if repetitions is None:
        return None
    runs = [
        [{"directory": run.experiment.directory, "duration": run.duration} for run in side]
        for side in repetitions.runs
    ]
    return {
        "a": runs[0],
        "b": runs[1],
        "confidence": repetitions.durations.confidence,
        "beyond_noise": repetitions.durations.is_beyond_noise,
    }


def _repeated(values: RepeatedValues | None) -> dict[str, Any] | None:
    """Return a region's execT in all runs of both sides."""
    if values is None:
        return None
    return {
        "a": list(values.a),
        "b": list(values.b),
        "confidence": values.confidence,
        "beyond_noise": values.is_beyond_noise,
    }


def _cause(row: CauseChangeRow) -> dict[str, Any]:
    from pomp_clang.report.json.causes import statistics

    return {
        "path": row.path,
        "callpath": row.callpath,
        "file": row.file or None,
        "line": row.line or None,
        "a": row.a,
        "b": row.b,
        "delta": row.delta,
        "statistics": {"a": statistics(row.statistics_a), "b": statistics(row.statistics_b)},
    }


def _failed(verdict: ConditionVerdict) -> dict[str, Any]:
    sides = (verdict.compared.a, verdict.compared.b) if verdict.compared else (None, None)
    ids = [side.profile.region.id if side else None for side in sides]
    grown = {
        name: {"delta": value.amount, "share": value.share if math.isfinite(value.share) else None}
        for name, value in verdict.grown
    }
    pairs = verdict.pairs and {"held": verdict.pairs[0], "all": verdict.pairs[1]}
    return {
        "condition": verdict.text,
        "a": ids[0],
        "b": ids[1],
        "grown": grown,
        "pairs": pairs,
        "confidence": verdict.confidence,
    }


def run_head(run: AnalyzedRun) -> dict[str, Any]:
    """Return the facts of a run and the parts of its threads' time."""
    experiment, total = run.experiment, run.analysis.totalT
    return {
        "directory": experiment.directory,
        "program": experiment.program,
        "start": experiment.start,
        "complete": experiment.complete,
        "conditions": conditions_document(run_conditions(run)),
        "threads": run.threads,
        "duration": run.duration,
        "totalT": total,
        "parts": {
            name.lower(): {"time": value, "share": share(value, total)}
            for name, value in run.parts().items()
        },
    }


def _property(change: PropertyChange) -> dict[str, Any]:
    return {"name": change.name, "a": _finding(change.a), "b": _finding(change.b)}


def _finding(finding: PropertyFinding | None) -> dict[str, Any] | None:
    if finding is None:
        return None
    region = finding.profile.region.id if finding.profile else None
    return {"region": region, "severity": finding.severity, "share": finding.share}


def _region(compared: ComparedRegion) -> dict[str, Any]:
    region = compared.latest.region
    delta = compared.delta
    return {
        "kind": region.kind,
        "sub_name": region.sub_name,
        "function": region.function,
        "state": compared.state,
        "moved": compared.moved,
        "a": _side(compared.a),
        "b": _side(compared.b),
        "delta": {"execC": delta.execC, "execT": delta.execT, "lostT": delta.lostT},
        "repeated": _repeated(compared.repeated),
    }


def _side(side: RegionInRun | None) -> dict[str, Any] | None:
    if side is None:
        return None
    region = side.profile.region
    return {
        "id": region.id,
        "file": region.file,
        "begin_line1": region.begin_line1,
        "end_lineN": region.end_lineN,
        "execC": side.execC,
        "execT": side.execT,
        "lostT": side.lostT,
    }
