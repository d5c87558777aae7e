"""A profile's call paths as the literal form of Hatchet, which GraphFrame.from_literal takes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pomp_clang.analysis.callpaths import PathProfile, callpath_profile
from pomp_clang.experiment.reader import read
from pomp_clang.export.names import name_of


def write(directory: str, output: Path, told: Callable[[float], None]) -> str:
    experiment = read(directory)
    profiles = callpath_profile(experiment)
    nodes: dict[str, dict[str, Any]] = {}
    roots: list[dict[str, Any]] = []
    for each in profiles:
        node = nodes[each.path.id] = _node(each, len(experiment.locations))
        below = nodes[each.path.above]["children"] if each.path.above else roots
        below.append(node)
    told(1.0)
    with open(output, "w", encoding="utf-8") as file:
        json.dump(roots, file, indent=1)
        file.write("\n")
    return f"{len(profiles)} call paths"


def _node(profile: PathProfile, threads: int) -> dict[str, Any]:
    """Sums of all threads, in seconds, and how uneven they are: the largest share over the
    mean."""
    own = [each.exclusive for each in profile.threads]
    mean = sum(own) / max(1, threads)
    region = profile.region
    return {
        "frame": {
            "name": name_of(region, profile.path),
            "type": "function" if region.kind == "function" else "region",
            "file": region.file,
            "line": region.begin_line1,
        },
        "metrics": {
            "time": profile.exclusive,
            "time (inc)": profile.inclusive,
            "visits": profile.execC,
            "imbalance": max(own, default=0.0) / mean if mean > 0 else 1.0,
        },
        "children": [],
    }
