"""Commands of the tests of whole programs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

SETTINGS = {"OMP_NUM_THREADS": "4", "OMP_DYNAMIC": "false", "OMP_CANCELLATION": "true"}


def run(command: list[str], folder: Path, **environment: str) -> tuple[int, str, str]:
    """Return exit status, standard output and standard error of a command."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("POMP_", "OMP_"))}
    result = subprocess.run(
        command, cwd=folder, env=clean | environment, capture_output=True, text=True, timeout=120
    )
    return result.returncode, result.stdout, result.stderr
