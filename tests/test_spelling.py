"""People read one spelling, the American one of the OpenMP specification."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
BRITISH = re.compile(
    r"\b\w*(?:(?:synchron|parallel|serial|initial|optim|normal|summar|minim|maxim|visual|organ)is"
    r"(?:e|es|ed|ing|ation)|behaviour|neighbour|colour|favour|labelled|modelling|cancelled)\w*",
    re.I,
)
ACCEPTED = {"synchronisation"}
"""An older name of a condition, which scripts may have."""


def sentences() -> Iterator[tuple[Path, str]]:
    """Yield the strings of the package that hold a space, docstrings left out."""
    for path in sorted((ROOT / "pomp_clang").rglob("*.py")):
        tree = ast.parse(path.read_text())
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and id(node) not in docstrings and " " in text:
                yield path, text


def british(text: str) -> set[str]:
    """Return the British words of a text; words in capitals are names of others."""
    return {word for word in BRITISH.findall(text) if not word.isupper()} - ACCEPTED


def test_sentences_of_the_package_are_american() -> None:
    actual = {
        f"{path.relative_to(ROOT)}: {word}"
        for path, text in sentences()
        if "mpi/functions" not in str(path)  # names of C functions
        for word in british(text)
    }
    assert actual == set()


def test_the_documentation_is_american() -> None:
    pages = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]
    actual = {
        f"{page.relative_to(ROOT)}: {word}" for page in pages for word in british(page.read_text())
    }
    assert actual == set()
