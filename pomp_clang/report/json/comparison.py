"""Several runs as JSON: two compared, more and more threads, the history of a program. The contract is
docs/reference/json-diff.md."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from pomp_clang.analysis.comparison import ComparedRegion, RegionInRun
from pomp_clang.analysis.comparison.history import ChangePoint, ProgramHistory, RegionHistory
from pomp_clang.analysis.comparison.rank_sum import RepeatedValues
from pomp_clang.analysis.comparison.repetitions import Repetitions
from pomp_clang.analysis.comparison.scaling import Saturation, ScaledRegion, Scaling, ScalingPoint
from pomp_clang.analysis.comparison.verdicts import (
    ConditionVerdict,
    PropertyChange,
    property_changes,
)
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.properties import PropertyFinding
from pomp_clang.analysis.run import AnalyzedRun
from pomp_clang.report.cause_changes import CauseChangeRow, CauseChanges
from pomp_clang.report.run_conditions import document as conditions_document
from pomp_clang.report.run_conditions import run_conditions

FORMAT = 1


def render_diff(
    a: AnalyzedRun,
    b: AnalyzedRun,
    regions: tuple[ComparedRegion, ...],
    held: tuple[ConditionVerdict, ...] = (),
    causes: CauseChanges | None = None,
    repetitions: Repetitions | None = None,
) -> str:
    return json.dumps(diff_document(a, b, regions, held, causes, repetitions), indent=1) + "\n"


def diff_document(
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
        "regions": [_compared_region(region) for region in regions],
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
        "path": list(row.path),
        "callpath": list(row.callpath),
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


def _compared_region(compared: ComparedRegion) -> dict[str, Any]:
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


def render_scaling(scaling: Scaling, top: int | None) -> str:
    return json.dumps(scaling_document(scaling, top), indent=1) + "\n"


def scaling_document(scaling: Scaling, top: int | None = None) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "runs": [
            {**run_head(run), **_point(point)}
            for run, point in zip(scaling.runs, scaling.points, strict=True)
        ],
        "saturation": _saturation(scaling.saturation),
        "regions": [_scaled_region(region) for region in scaling.regions[:top]],
    }


def _saturation(saturation: Saturation | None) -> dict[str, Any] | None:
    return {"threads": saturation.threads, "predicted": saturation.seconds} if saturation else None


def _point(point: ScalingPoint) -> dict[str, Any]:
    return {
        "speed_up": point.speed_up,
        "efficiency": point.efficiency,
        "serial_fraction": point.serial,
    }


def _scaled_region(scaled: ScaledRegion) -> dict[str, Any]:
    region = scaled.region
    runs = zip(scaled.profiles, scaled.points, scaled.lost, strict=True)
    return {
        "kind": region.kind,
        "sub_name": region.sub_name,
        "function": region.function,
        "file": region.file,
        "begin_line1": region.begin_line1,
        "end_lineN": region.end_lineN,
        "saturation": _saturation(scaled.saturation),
        "runs": [_scaled_in_run(*run) for run in runs],
    }


def _scaled_in_run(
    profile: RegionProfile | None, point: ScalingPoint | None, lost: float
) -> dict[str, Any] | None:
    if profile is None or point is None:
        return None
    return {
        "id": profile.region.id,
        "threads": point.threads,
        "wallT": point.time,
        "execC": profile.execC,
        "execT": profile.execT,
        "lostT": lost,
        **_point(point),
    }


def render_history(history: ProgramHistory, regions: Sequence[RegionHistory]) -> str:
    return json.dumps(history_document(history, regions), indent=1) + "\n"


def history_document(history: ProgramHistory, regions: Sequence[RegionHistory]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "cost": history.cost,
        "runs": [run_head(run) for run in history.runs],
        "changes": [_change(change) for change in history.changes],
        "regions": [_region_history(row) for row in regions],
    }


def _change(change: ChangePoint) -> dict[str, Any]:
    return {
        "run": change.at,
        "before": change.before,
        "after": change.after,
        "share": change.growth,
        "confidence": change.confidence,
    }


def _region_history(row: RegionHistory) -> dict[str, Any]:
    region = row.region
    return {
        "kind": region.kind,
        "sub_name": region.sub_name,
        "function": region.function,
        "file": region.file,
        "begin_line1": region.begin_line1,
        "end_lineN": region.end_lineN,
        "runs": [_history_in_run(side) for side in row.runs],
        "changes": [_change(change) for change in row.changes],
    }


def _history_in_run(side: RegionInRun | None) -> dict[str, Any] | None:
    if side is None:
        return None
    return {
        "id": side.profile.region.id,
        "execC": side.execC,
        "execT": side.execT,
        "lostT": side.lostT,
    }
