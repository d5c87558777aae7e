"""A class name has one meaning: no two classes of the package share one.

`python tests/test_class_names.py [NAME ...]` lists names that are taken twice.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]

ALLOWED: frozenset[str] = frozenset()
"""Names that may be taken twice, each with its reason."""


def shared_names(package: Path) -> dict[str, list[str]]:
    """Return the places (`file:line`) of each class name, underscores left off, that has two."""
    places = defaultdict(list)
    for file in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ClassDef):
                places[node.name.strip("_")].append(f"{file.relative_to(package)}:{node.lineno}")
    return {name: where for name, where in places.items() if len(where) > 1}


def test_two_classes_of_one_name_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("class Part: ...\n")
    (tmp_path / "b.py").write_text("class _Part: ...\nclass Other: ...\n")
    assert shared_names(tmp_path) == {"Part": ["a.py:1", "b.py:1"]}


def test_each_class_name_of_the_package_has_one_meaning() -> None:
    assert shared_names(ROOT / "pomp_clang").keys() - ALLOWED == set()


if __name__ == "__main__":
    for shared_name, where in sorted(shared_names(ROOT / "pomp_clang").items()):
        if shared_name in sys.argv[1:] or not sys.argv[1:]:
            print(shared_name, *where)
