"""The constructs that stand in a project's own headers: named, since none is silent."""

from __future__ import annotations

from collections.abc import Iterator

from pomp_clang.frontend.pragmas import find_pragmas, read
from pomp_clang.frontend.source import Source
from pomp_clang.frontend.tree import Tree
from pomp_clang.frontend.unit import Note
from pomp_clang.openmp.directives import Form


def header_notes(tree: Tree) -> Iterator[Note]:
    """A note for each executable directive of a header that no system folder holds."""
    for path, text in tree.project_headers:
        if "omp" not in text or "ragma" not in text:
            continue
        source = Source(path, text)
        for pragma in find_pragmas(source, source.lexemes()):
            directive = read(pragma.body).directive
            if directive is None or directive.form is Form.DECLARATIVE:
                continue
            if tree.is_live(pragma.start, path):
                words = f"'{directive.words}' in a header is not measured yet"
                yield Note(path, source.line(pragma.start), words, "header")
