"""The history of a program as JSON: the contract of docs/reference/json-diff.md."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pomp_clang.analysis.comparison import RegionInRun
from pomp_clang.analysis.comparison.history import ChangePoint, ProgramHistory, RegionHistory
from pomp_clang.report.json.compare import run_head

FORMAT = 1


def render(history: ProgramHistory, regions: Sequence[RegionHistory]) -> str:
    return json.dumps(document(history, regions), indent=1) + "\n"


def document(history: ProgramHistory, regions: Sequence[RegionHistory]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "cost": history.cost,
        "runs": [run_head(run) for run in history.runs],
        "changes": [_change(change) for change in history.changes],
        "regions": [_region(row) for row in regions],
    }


def _change(change: ChangePoint) -> dict[str, Any]:
    return {
        "run": change.at,
        "before": change.before,
        "after": change.after,
        "share": change.growth,
        "confidence": change.confidence,
    }


def _region(row: RegionHistory) -> dict[str, Any]:
    region = row.region
    return {
        "kind": region.kind,
        "sub_name": region.sub_name,
        "function": region.function,
        "file": region.file,
        "begin_line1": region.begin_line1,
        "end_lineN": region.end_lineN,
        "runs": [_in_run(side) for side in row.runs],
        "changes": [_change(change) for change in row.changes],
    }


def _in_run(side: RegionInRun | None) -> dict[str, Any] | None:
    if side is None:
        return None
    return {
        "id": side.profile.region.id,
        "execC": side.execC,
        "execT": side.execT,
        "lostT": side.lostT,
    }
