"""Predicted gains of a job in which one process waits for the other's threads."""

from __future__ import annotations

import json
import subprocess
import warnings
from pathlib import Path

import pytest

from tests.mpi.harness import MPIS, PROGRAMS, build, environment, run

TRIES = 4
"""The machine may be busy: of these runs one has to be undisturbed."""

GAINED = 3 * 0.1
"""Seconds, as the program is made."""


def predicted(folder: Path) -> float:
    command = ["pomp-clang", "analyze", str(folder), "--format", "json"]
    result = subprocess.run(command, env=environment(), check=True, capture_output=True, text=True)
    causes = json.loads(result.stdout)["causes"]
    text = (PROGRAMS / "gains.c").read_text().splitlines()
    line = 1 + text.index("#pragma omp barrier")
    key = "Wait at Barrier", line
    (gain,) = [cause["gain"] for cause in causes if (cause["name"], cause["line"]) == key]
    return float(gain)


@pytest.mark.parametrize("mpi", MPIS)
def test_all_processes_gain_what_one_does(mpi: str, tmp_path: Path) -> None:
    binary = build(mpi, "gains", tmp_path)
    for turn in range(TRIES):
        folder = tmp_path / f"run-{turn}"
        run(binary, 2, folder, POMP_TRACE="1", OMP_WAIT_POLICY="passive")
        gain = predicted(folder)
        if gain == pytest.approx(GAINED, rel=0.1):
            return
        text = f"{gain} s predicted, {GAINED} s are to be gained"
        warnings.warn(f"run {turn + 1} of at most {TRIES}: {text}", stacklevel=1)
    pytest.fail(text)
