"""Expected output stands in `expected/`, beside the tests that name it.

UPDATE_EXPECTED=1 in the environment writes it anew; look at the difference then.
"""

from __future__ import annotations

import os
from pathlib import Path

_EXPECTED = Path(__file__).parent / "expected"


def check(name: str, text: str) -> None:
    path = _EXPECTED / name
    if os.environ.get("UPDATE_EXPECTED"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
