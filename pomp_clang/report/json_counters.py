"""What was counted besides time, for the JSON report."""

from __future__ import annotations

from typing import Any

from pomp_clang.analysis.counters import Counted, Counting, Place, Values


def counters(counted: Counting | None) -> dict[str, Any] | None:
    if counted is None:
        return None
    names = [metric.name for metric in counted.metrics]

    def said(values: Values) -> dict[str, float | None]:
        return dict(zip(names, values, strict=True))

    def both(each: Counted) -> dict[str, Any]:
        return {"inclusive": said(each.inclusive), "exclusive": said(each.exclusive)}

    def place(key: str, each: Place) -> dict[str, Any]:
        threads = [{"tid": tid, **both(own)} for tid, own in each.threads.items()]
        return {key: each.id, **both(each.total), "threads": threads}

    return {
        "metrics": [
            {"name": metric.name, "expression": metric.expression or None}
            for metric in counted.metrics
        ],
        "regions": [place("region", each) for each in counted.regions],
        "callpaths": [place("callpath", each) for each in counted.callpaths],
        "outside": said(counted.outside),
        "sum": said(counted.total),
        "notes": list(counted.notes),
    }
