"""The shell scripts can be read by the shell that runs them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
SCRIPTS = sorted(
    path
    for pattern in (".ci/*", "tests/*.sh", "examples/*.sh", "examples/ci/*.sh")
    for path in REPOSITORY.glob(pattern)
    if path.is_file()
)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_has_no_syntax_error(script: Path) -> None:
    first = script.read_text().split("\n")[0]
    shell = "bash" if "bash" in first else "sh"
    result = subprocess.run([shell, "-n", script], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
