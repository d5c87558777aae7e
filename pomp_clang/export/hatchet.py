"""Export of a profile's call paths in Hatchet's literal form, for GraphFrame.from_literal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pomp_clang.export.callpath_tree import CallPathNode, read_processes, tree_of
from pomp_clang.progress import ProgressCallback


def write(directory: str, output: Path, progress: ProgressCallback) -> str:
    processes = read_processes(directory, progress)
    threads = sum(len(process.experiment.locations) for process in processes)
    nodes = tree_of(processes)
    roots: list[dict[str, Any]] = []
    open_: list[dict[str, Any]] = []
    for node in nodes:
        del open_[node.depth :]
        tree = _node(node, threads)
        (open_[-1]["children"] if open_ else roots).append(tree)
        open_.append(tree)
    progress(1.0)
    with open(output, "w", encoding="utf-8") as file:
        json.dump(roots, file, indent=1)
        file.write("\n")
    suffix = f" of {len(processes)} processes" if len(processes) > 1 else ""
    return f"{len(nodes)} call paths{suffix}"


def _node(node: CallPathNode, threads: int) -> dict[str, Any]:
    """Return a node with sums over all threads in seconds; `imbalance` is the largest share over
    the mean."""
    profiles = node.profiles.values()
    exclusive = [visits.exclusive for profile in profiles for visits in profile.threads]
    mean_time = sum(exclusive) / max(1, threads)
    region = node.any.region
    return {
        "frame": {
            "name": node.name,
            "type": "function" if region.kind == "function" else "region",
            "file": region.file,
            "line": region.begin_line1,
        },
        "metrics": {
            "time": sum(profile.exclusive for profile in profiles),
            "time (inc)": sum(profile.inclusive for profile in profiles),
            "visits": sum(profile.execC for profile in profiles),
            "imbalance": max(exclusive, default=0.0) / mean_time if mean_time > 0 else 1.0,
        },
        "children": [],
    }
