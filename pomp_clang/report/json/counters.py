"""The hardware counters in the JSON report."""

from __future__ import annotations

from typing import Any

from pomp_clang.analysis.counters import Counted, CountedPlace, CounterProfile, Values


def counters(counted: CounterProfile | None) -> dict[str, Any] | None:
    if counted is None:
        return None
    names = [metric.name for metric in counted.metrics]

    def value_or_none(values: Values) -> dict[str, float | None]:
        return dict(zip(names, values, strict=True))

    def both(counted: Counted) -> dict[str, Any]:
        return {
            "inclusive": value_or_none(counted.inclusive),
            "exclusive": value_or_none(counted.exclusive),
        }

    def place(key: str, counted: CountedPlace) -> dict[str, Any]:
        threads = [
            {"tid": tid, **both(counted_thread)} for tid, counted_thread in counted.threads.items()
        ]
        return {key: counted.id, **both(counted.total), "threads": threads}

    return {
        "metrics": [
            {"name": metric.name, "expression": metric.expression or None}
            for metric in counted.metrics
        ],
        "regions": [place("region", region) for region in counted.regions],
        "callpaths": [place("callpath", callpath) for callpath in counted.callpaths],
        "outside": value_or_none(counted.outside),
        "sum": value_or_none(counted.total),
        "notes": list(counted.notes),
    }
