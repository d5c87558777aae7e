"""The constructs of a Fortran text as gfortran reads them: names and nesting, from its dump.

`-fdump-fortran-original` writes `!$OMP NAME clauses` and `!$OMP END NAME` in the order of the code.
It has no lines. An atomic has no END there.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence

from pomp_clang.frontend.constructs import FoundConstructs
from pomp_clang.openmp.directives import DirectiveForm
from pomp_clang.openmp.fortran_directives import FORTRAN_DIRECTIVES

_DIRECTIVE = re.compile(r"!\$OMP (END )?([A-Z][A-Z ]*)")
_OPENS = frozenset((DirectiveForm.BLOCK, DirectiveForm.LOOP, DirectiveForm.SECTIONS))
_ASIDE = frozenset(("section", "scan", "error", "nothing", "assume", "allocators"))
"""Directives that the dump leaves out or shows in another form."""

Tree = Counter[tuple[str, ...]]
"""How often a construct stands in those around it: the names, the outermost first."""


def dumped(command: Sequence[str]) -> Tree | None:
    """Return what gfortran's dump shows, or None if gfortran refuses the text or crashes."""
    result = subprocess.run(
        [*command, "-fopenmp", "-fsyntax-only", "-w", "-fdump-fortran-original"],
        capture_output=True,
        timeout=120,
    )
    return None if result.returncode else _tree(result.stdout.decode("latin-1"))


def _tree(dump: str) -> Tree:
    around: list[str] = []
    tree: Tree = Counter()
    for match in _DIRECTIVE.finditer(dump):
        words = _words(match[2])
        if match[1]:
            if words in around:
                del around[len(around) - 1 - around[::-1].index(words) :]
        elif words and words not in _ASIDE:
            tree[(*around, words)] += 1
            if FORTRAN_DIRECTIVES[words].form in _OPENS and not _stands_alone(dump, match):
                around.append(words)
    return tree


def _stands_alone(dump: str, match: re.Match[str]) -> bool:
    return match[2].startswith("ORDERED") and "DEPEND" in dump[match.end() - 8 : match.end() + 8]


def _words(text: str) -> str:
    """Return the directive that a text begins with, without the words that the dump leaves out."""
    names = text.lower().split()
    if names[:2] == ["parallel", "masked"]:
        return "parallel"
    if names[:4] == ["target", "parallel", "do", "simd"]:
        return "target"
    for count in range(len(names), 0, -1):
        if " ".join(names[:count]) in FORTRAN_DIRECTIVES:
            return " ".join(names[:count])
    return ""


def scanned(found_constructs: FoundConstructs) -> Tree:
    """Return the same of the constructs that the scanner found."""
    return Counter(_paths(found_constructs))


def _paths(found_constructs: FoundConstructs) -> Iterator[tuple[str, ...]]:
    constructs = found_constructs.constructs
    for item in constructs.items:
        if item.directive is not None and item.kind not in _ASIDE:
            around = [_words(c.kind) for c in constructs.around(item) if _opens(c.kind)]
            yield (*reversed(around), _words(item.kind))


def _opens(kind: str) -> bool:
    return kind in FORTRAN_DIRECTIVES and FORTRAN_DIRECTIVES[kind].form in _OPENS
