"""The packages of pomp_clang import each other in one direction."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "pomp_clang"
LAYERS = (
    "openmp", "frontend", "selection", "rewrite", "mpi", "driver",
    "otf2", "experiment", "trace", "analysis", "causes", "report",
    "score", "export", "lsp", "cli",
)  # fmt: skip


def test_every_package_is_a_layer() -> None:
    packages = [path.parent.name for path in PACKAGE.glob("*/__init__.py")]
    assert sorted(packages) == sorted(LAYERS)


@pytest.mark.parametrize("name", LAYERS)
def test_a_package_imports_nothing_above_itself(name: str) -> None:
    above = set(LAYERS[LAYERS.index(name) + 1 :])
    for path in (PACKAGE / name).rglob("*.py"):
        text = path.read_text()
        imported = re.findall(r"^ *(?:from|import) pomp_clang\.(\w+)", text, re.M)
        imported += re.findall(r"^ *from pomp_clang import (\w+)", text, re.M)
        assert not above & set(imported), path
