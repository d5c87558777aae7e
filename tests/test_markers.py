"""Markers select tests: `pytest -m "not slow"`."""

from __future__ import annotations

import pytest

from tests.conftest import MARKED, REPOSITORY


@pytest.mark.parametrize(("marker", "beginning"), [(m, b) for m in MARKED for b in MARKED[m]])
def test_marked_tests_are_there(marker: str, beginning: str) -> None:
    path, _, name = beginning.partition("::")
    assert (REPOSITORY / path).exists(), marker
    assert not name or f"def {name}(" in (REPOSITORY / path).read_text()
