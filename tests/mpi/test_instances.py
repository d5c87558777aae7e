"""The worst instance of a wait for another process: when it was, and for whom; saved, too."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.mpi.harness import MPIS, build, environment, run


def analyzed(*arguments: str) -> dict[str, Any]:
    command = ["pomp-clang", "analyze", *arguments, "--format", "json"]
    result = subprocess.run(command, check=True, capture_output=True, text=True, env=environment())
    document: dict[str, Any] = json.loads(result.stdout)
    return document


def named(document: dict[str, Any], name: str) -> dict[str, Any]:
    result: dict[str, Any] = next(row for row in document["properties"] if row["name"] == name)
    return result


@pytest.mark.parametrize("mpi", MPIS)
def test_one_message_of_ten_is_late(mpi: str, programs: Path, tmp_path: Path) -> None:
    """Some other messages may arrive in time because their receiver has to wait for a processor."""
    folder = tmp_path / "run"
    output = run(build(mpi, "late", programs), 2, folder, POMP_TRACE="1").stdout
    since, seconds = map(float, output.split())
    document = analyzed(str(folder))
    late = named(document, "Late Sender")
    (worst, *others) = late["instances"]
    assert 3 <= late["statistics"]["count"] <= 10 and len(others) == 2
    assert late["statistics"]["max"] == worst["severity"] == pytest.approx(seconds, rel=0.05)
    assert late["statistics"]["median"] < 0.25 * seconds
    assert late["statistics"]["sum"] == pytest.approx(late["severity"])
    assert (worst["process"], worst["thread"], worst["callpath"]) == (1, 0, ["main", "MPI_Recv"])
    assert worst["end"] - worst["begin"] == pytest.approx(worst["severity"])
    init = max(
        instance["end"]
        for instance in named(document, "Init/Exit")["instances"]  # the three longest of four
        if instance["callpath"] == ["MPI_Init"]
    )
    assert worst["begin"] - init == pytest.approx(since, abs=0.02)
    partner = worst["partner"]
    assert (partner["process"], partner["callpath"]) == (0, ["main", "MPI_Send"])
    saved = analyzed(str(folder / "causes.pomp"))
    assert saved["properties"] == document["properties"]
