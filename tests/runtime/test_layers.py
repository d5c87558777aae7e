"""The runtime's folders build on each other in one direction, the order of `runtime/CMakeLists.txt`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

RUNTIME = Path(__file__).parents[2] / "runtime"
SOURCES = RUNTIME / "src"
LISTED = re.findall(r"src/(\w+)/\w+\.c", (RUNTIME / "CMakeLists.txt").read_text())
LAYERS = list(dict.fromkeys(LISTED))
FILES = sorted(path for path in SOURCES.glob("*/*") if path.suffix in (".c", ".h"))


def test_every_folder_is_a_layer() -> None:
    assert sorted(LAYERS) == sorted(path.name for path in SOURCES.iterdir() if path.is_dir())


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCES)))
def test_a_file_includes_nothing_of_a_layer_above_its_own(path: Path) -> None:
    included = re.findall(r'^#include "(\w+)/', path.read_text(), re.M)
    above = LAYERS[LAYERS.index(path.parent.name) + 1 :]
    assert not set(included) & set(above)
