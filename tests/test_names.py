"""Variables, parameters, fields and functions say what they hold: none is called after a participle
or a pronoun.

`python tests/test_names.py` lists the names that are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
FOLDERS = (TESTS.parent / "pomp_clang", TESTS)

OPAQUE = frozenset(
    [
        "apart",
        "asked",
        "begun",
        "behind",
        "booked",
        "came",
        "each",
        "found",
        "given",
        "goes_on",
        "gone",
        "got",
        "made",
        "meant",
        "met",
        "mine",
        "ours",
        "roomy",
        "said",
        "several",
        "shown",
        "stood",
        "taken",
        "theirs",
        "told",
        "took",
        "tried",
        "wanted",
    ]
)
"""Names that do not say what they hold; a noun of the glossary does (docs/glossary.md)."""


def names_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each variable, parameter, field and function that is bound."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield node.lineno, node.name.strip("_")
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id


def opaque_names(package: Path) -> list[str]:
    """Return the place and name of each opaque name, as `file: name`."""
    return [
        f"{file.relative_to(package).as_posix()}: {name}"
        for file in sorted(package.rglob("*.py"))
        for _, name in names_in(ast.parse(file.read_text()))
        if name in OPAQUE
    ]


def test_opaque_names_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "def f(given):\n    made = [each for each in given]\n    return made\n"
    )
    assert sorted(opaque_names(tmp_path)) == ["a.py: each", "a.py: given", "a.py: made"]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_names_say_what_they_hold(folder: Path) -> None:
    assert opaque_names(folder) == []


if __name__ == "__main__":
    print(*(name for folder in FOLDERS for name in opaque_names(folder)), sep="\n")
