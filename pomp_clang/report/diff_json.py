"""Two runs compared, as JSON: the contract of docs/reference/json-diff.md."""

from __future__ import annotations

import json
import math
from typing import Any

from pomp_clang.analysis.changes import Change, changes
from pomp_clang.analysis.comparison import Compared, Side
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.properties import Found
from pomp_clang.analysis.run import Run
from pomp_clang.analysis.verdicts import Verdict
from pomp_clang.report.diff_causes import Causes, Row

FORMAT = 1


def render(
    a: Run,
    b: Run,
    regions: tuple[Compared, ...],
    held: tuple[Verdict, ...] = (),
    causes: Causes | None = None,
) -> str:
    return json.dumps(document(a, b, regions, held, causes), indent=1) + "\n"


def document(
    a: Run,
    b: Run,
    regions: tuple[Compared, ...],
    held: tuple[Verdict, ...] = (),
    causes: Causes | None = None,
) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "a": run_head(a),
        "b": run_head(b),
        "regions": [_region(each) for each in regions],
        "properties": [_property(each) for each in changes(a, b)],
        "failed": [_failed(each) for each in held],
        "causes": None if causes is None or causes.note else [_cause(e) for e in causes.rows],
    }


def _cause(row: Row) -> dict[str, Any]:
    from pomp_clang.causes.tally_json import statistics

    return {
        "path": row.path,
        "callpath": row.callpath,
        "file": row.file or None,
        "line": row.line or None,
        "a": row.a,
        "b": row.b,
        "delta": row.delta,
        "statistics": {"a": statistics(row.then), "b": statistics(row.now)},
    }


def _failed(each: Verdict) -> dict[str, Any]:
    sides = (each.compared.a, each.compared.b) if each.compared else (None, None)
    ids = [side.profile.region.id if side else None for side in sides]
    grown = {
        name: {"delta": value.by, "share": value.share if math.isfinite(value.share) else None}
        for name, value in each.grown
    }
    return {"condition": each.text, "a": ids[0], "b": ids[1], "grown": grown}


def run_head(run: Run) -> dict[str, Any]:
    """A run and where its threads' time went."""
    e, whole = run.experiment, run.analysis.totalT
    return {
        "directory": e.directory,
        "program": e.program,
        "start": e.start,
        "complete": e.complete,
        "threads": run.threads,
        "duration": run.duration,
        "totalT": whole,
        "parts": {
            name.lower(): {"time": value, "share": share(value, whole)}
            for name, value in run.parts().items()
        },
    }


def _property(each: Change) -> dict[str, Any]:
    return {"name": each.name, "a": _found(each.a), "b": _found(each.b)}


def _found(found: Found | None) -> dict[str, Any] | None:
    if found is None:
        return None
    region = found.profile.region.id if found.profile else None
    return {"region": region, "severity": found.severity, "share": found.share}


def _region(each: Compared) -> dict[str, Any]:
    region = each.shown.region
    delta = each.delta
    return {
        "kind": region.kind,
        "sub_name": region.sub_name,
        "function": region.function,
        "state": each.state,
        "moved": each.moved,
        "a": _side(each.a),
        "b": _side(each.b),
        "delta": {"execC": delta.execC, "execT": delta.execT, "lostT": delta.lostT},
    }


def _side(side: Side | None) -> dict[str, Any] | None:
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
