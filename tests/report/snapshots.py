"""Expected output stands in `expected/`, beside the tests that name it.

UPDATE_EXPECTED=1 in the environment writes it anew; look at the difference then.
"""

from __future__ import annotations

import difflib
import os
from pathlib import Path

import pytest

_EXPECTED = Path(__file__).parent / "expected"


def check(name: str, text: str) -> None:
    path = _EXPECTED / name
    if os.environ.get("UPDATE_EXPECTED"):
        path.write_text(text, encoding="utf-8")
    expected = path.read_text(encoding="utf-8")
    changes = difflib.unified_diff(
        expected.splitlines(), text.splitlines(), f"expected/{name}", "now", lineterm="", n=0
    )
    if text != expected:
        pytest.fail("\n".join([*changes, "If that is meant: UPDATE_EXPECTED=1"]), pytrace=False)
