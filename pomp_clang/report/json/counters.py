"""The hardware counters in the JSON report."""

from __future__ import annotations

from typing import Any

from pomp_clang.analysis.counters import Counted, CountedPlace, CounterProfile, Values


def counters(counted: CounterProfile | None) -> dict[str, Any] | None:
    if counted is None:
        return None
    names = [metric.name for metric in counted.metrics]

    def said(values: Values) -> dict[str, float | None]:
        return dict(zip(names, values, strict=True))

    def both(each: Counted) -> dict[str, Any]:
        return {"inclusive": said(each.inclusive), "exclusive": said(each.exclusive)}

    def place(key: str, each: CountedPlace) -> dict[str, Any]:
        threads = [{"tid": tid, **both(own)} for tid, own in each.threads.items()]
        return {key: each.id, **both(each.total), "threads": threads}

    return {
        "metrics": [
            {"name": metric.name, "expression": metric.expression or None}
            for metric in counted.metrics
        ],
        "regions": [place("region", region) for region in counted.regions],
        "callpaths": [place("callpath", callpath) for callpath in counted.callpaths],
        "outside": said(counted.outside),
        "sum": said(counted.total),
        "notes": list(counted.notes),
    }
