"""Programs are built once."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that programs are built in."""
    return tmp_path_factory.mktemp("programs")
