"""The packages of pomp_clang import each other in one direction."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "pomp_clang"
LAYERS = (
    "openmp", "frontend", "selection", "rewrite", "mpi", "driver",
    "otf2", "experiment", "trace", "analysis", "causes", "report",
    "score", "export", "api", "lsp", "cli",
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


def test_no_files_import_each_other_in_a_circle() -> None:
    """Imports for types alone count as well."""
    graph: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        text = path.read_text()
        imported = set(re.findall(r"^ *from (pomp_clang[\w.]*) import", text, re.M))
        for package, names in re.findall(
            r"^ *from (pomp_clang[\w.]*) import ([\w, ]+|\([^)]*\))", text, re.M
        ):
            imported |= {f"{package}.{part}" for part in re.findall(r"\w+", names)}
        graph[name] = imported
    TopologicalSorter(
        {name: (imported & graph.keys()) - {name} for name, imported in graph.items()}
    ).prepare()
