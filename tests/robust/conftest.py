"""The compilers that the programs are built with, as they are and measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.robust.both import COMPILERS, Both, require


@pytest.fixture(params=COMPILERS)
def both(request: pytest.FixtureRequest, tmp_path: Path) -> Both:
    return Both(require(request.param), tmp_path)
