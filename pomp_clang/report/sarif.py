"""Two runs compared, as SARIF 2.1.0: what got worse, at its line of the source."""

from __future__ import annotations

import hashlib
import json
import os
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pomp_clang.analysis.comparison import ComparedRegion
from pomp_clang.analysis.comparison.verdicts import (
    ConditionVerdict,
    PropertyChange,
    property_changes,
)
from pomp_clang.analysis.run import AnalyzedRun
from pomp_clang.experiment.model import Region
from pomp_clang.report.comparison_phrases import growth_text, pairs_text
from pomp_clang.report.phrases import percent, what

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_FAILED = "fail-on"
_WORSE = 0.01
"""Growth of a property's share of all time from which on it is a warning."""

Folders = tuple[str, str]


def render(
    a: AnalyzedRun,
    b: AnalyzedRun,
    regions: tuple[ComparedRegion, ...],
    held: tuple[ConditionVerdict, ...],
    folders: Folders,
    root: str,
) -> str:
    """Write the changes for the worse; `folders` are the ones that the sources of A and B are named
    from.

    Code hosts need a line for each result: a result of the whole program stands at the region whose
    lost time grew most.
    """
    measured = [region for region in regions if region.b]
    anchor = (
        max(measured, key=lambda change: change.delta.lostT).latest.region if measured else None
    )
    worse = [
        property_change
        for property_change in property_changes(a, b)
        if property_change.b and property_change.delta >= _WORSE
    ]
    results = [_failed(verdict, anchor, folders, root) for verdict in held]
    results += [_worse_finding(change, anchor, folders, root) for change in worse]
    names = sorted({change.name for change in worse})
    advice = {change.name: change.b.advice for change in worse if change.b}
    rules = [_rule(_FAILED, "A condition that --fail-on asked for holds.")]
    rules += [_rule(name, advice[name]) for name in names]
    driver = {"name": "pomp-clang", "version": _version(), "rules": rules}
    run = {
        "tool": {"driver": driver},
        "originalUriBaseIds": {"SRCROOT": {"uri": Path(root).resolve().as_uri() + "/"}},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _version() -> str:
    try:
        return version("pomp-clang")
    except PackageNotFoundError:
        return "0"


def _rule(name: str, text: str) -> dict[str, Any]:
    return {"id": name, "name": name, "shortDescription": {"text": text}}


def _failed(
    verdict: ConditionVerdict, anchor: Region | None, folders: Folders, root: str
) -> dict[str, Any]:
    region, folder, subject = anchor, folders[1], "the program"
    if verdict.compared:
        region = verdict.compared.latest.region
        folder = folders[1] if verdict.compared.b else folders[0]
        subject = what(region)
    text = f"{subject}: {verdict.text}: {growth_text(verdict)}{pairs_text(verdict)}"
    return _result(_FAILED, "error", text, verdict.text, region, folder, root)


def _worse_finding(
    change: PropertyChange, anchor: Region | None, folders: Folders, root: str
) -> dict[str, Any]:
    assert change.b is not None
    region = change.profile.region if change.profile else anchor
    before = percent(change.a.share) if change.a else "0"
    text = f"{change.b.text} It is {percent(change.b.share)} % of the run's time, was {before} %."
    return _result(change.name, "warning", text, change.name, region, folders[1], root)


def _result(
    rule: str,
    level: str,
    text: str,
    key: str,
    region: Region | None,
    folder: str,
    root: str,
) -> dict[str, Any]:
    """Build a result; code hosts identify it by its fingerprint, even after lines have moved."""
    named = (key, region.kind, region.sub_name, region.function, region.file) if region else (key,)
    mark = hashlib.sha256("\0".join(named).encode("utf-8", "surrogateescape")).hexdigest()
    result: dict[str, Any] = {
        "ruleId": rule,
        "level": level,
        "message": {"text": text},
        "partialFingerprints": {"pompRegion/v1": mark[:32]},
    }
    if region:
        result["locations"] = [_location(region, folder, root)]
    return result


def _location(region: Region, folder: str, root: str) -> dict[str, Any]:
    path = os.path.join(folder, region.file)
    base = os.path.realpath(root)
    where: dict[str, Any] = {"uri": quote(os.fsencode(region.file))}
    if os.path.isabs(path):
        inside = os.path.relpath(os.path.realpath(path), base)
        if inside.split(os.sep)[0] == os.pardir:
            where = {"uri": "file://" + quote(os.fsencode(path))}
        else:
            where = {"uri": quote(os.fsencode(inside)), "uriBaseId": "SRCROOT"}
    lines = {"startLine": max(1, region.begin_line1)}
    if region.begin_lineN > region.begin_line1:
        lines["endLine"] = region.begin_lineN
    return {"physicalLocation": {"artifactLocation": where, "region": lines}}
