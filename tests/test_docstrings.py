"""Docstrings of functions start with a verb (PEP 257).

`python tests/test_docstrings.py [PATH ...]` lists the docstrings that do not.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
VERBS = frozenset((Path(__file__).parent / "verbs.txt").read_text().split())
ATTRIBUTES = {"property", "cached_property"}
"""Read like attributes, so a noun describes them."""


def decorators(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Return the last names of a function's decorators."""
    targets = (d.func if isinstance(d, ast.Call) else d for d in function.decorator_list)
    return {t.attr if isinstance(t, ast.Attribute) else getattr(t, "id", "") for t in targets}


def without_verb(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and first line of each function's docstring that starts with no verb."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        docstring = ast.get_docstring(node)
        if docstring and not decorators(node) & ATTRIBUTES:
            first = docstring.split()[0]
            if not (first[0].isupper() and first.rstrip(",:").lower() in VERBS):
                yield node.lineno, docstring.splitlines()[0]


def offenders(place: Path) -> list[str]:
    """List `file:line: docstring` of a file or folder."""
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    return [
        f"{file}:{line}: {text}" for file in files for line, text in without_verb(file.read_text())
    ]


@pytest.mark.parametrize("docstring", ["What is left.", "The sum.", "Returns a sum.", "return it."])
def test_docstring_without_a_verb_is_found(docstring: str) -> None:
    assert [*without_verb(f'def f():\n    """{docstring}"""\n')]


def test_functions_of_the_package_start_with_a_verb() -> None:
    assert offenders(ROOT / "pomp_clang") == []


if __name__ == "__main__":
    for path in sys.argv[1:] or ["pomp_clang"]:
        print(*offenders(Path(path)), sep="\n")
