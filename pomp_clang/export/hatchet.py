"""A profile's call paths as the literal form of Hatchet, which GraphFrame.from_literal takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pomp_clang.export.together import Node, read_processes, tree_of
from pomp_clang.progress import Told


def write(directory: str, output: Path, told: Told) -> str:
    several = read_processes(directory, told)
    threads = sum(len(each.experiment.locations) for each in several)
    nodes = tree_of(several)
    roots: list[dict[str, Any]] = []
    open_: list[dict[str, Any]] = []
    for node in nodes:
        del open_[node.depth :]
        made = _node(node, threads)
        (open_[-1]["children"] if open_ else roots).append(made)
        open_.append(made)
    told(1.0)
    with open(output, "w", encoding="utf-8") as file:
        json.dump(roots, file, indent=1)
        file.write("\n")
    of = f" of {len(several)} processes" if len(several) > 1 else ""
    return f"{len(nodes)} call paths{of}"


def _node(node: Node, threads: int) -> dict[str, Any]:
    """Sums of all threads, in seconds, and how uneven they are: the largest share over the
    mean."""
    profiles = node.profiles.values()
    own = [visits.exclusive for each in profiles for visits in each.threads]
    mean = sum(own) / max(1, threads)
    region = node.any.region
    return {
        "frame": {
            "name": node.name,
            "type": "function" if region.kind == "function" else "region",
            "file": region.file,
            "line": region.begin_line1,
        },
        "metrics": {
            "time": sum(each.exclusive for each in profiles),
            "time (inc)": sum(each.inclusive for each in profiles),
            "visits": sum(each.execC for each in profiles),
            "imbalance": max(own, default=0.0) / mean if mean > 0 else 1.0,
        },
        "children": [],
    }
