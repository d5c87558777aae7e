"""Programs are built once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.create_once import folder_of_run


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that programs are built in."""
    return folder_of_run(tmp_path_factory, "mpi-programs")
