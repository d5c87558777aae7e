"""The constructs of a Fortran text as flang reads them: names and nesting, from its parse tree.

The dump has one node a line, indented by `| `, and no lines of the source. A node ends where a line
is indented less. The loop of a directive follows it as a node of its own. Loops with labels are no
nodes: texts with them cannot be compared.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter

from tests.frontend.fortran.gfortran_tree import Tree

_DIRECTIVE = re.compile(
    r"Omp(?:(Begin(?:Block|Loop|Sections)|SimpleStandalone|Critical)|End\w+)Directive"
)
_NAMED = re.compile(r"llvm::omp::Directive = (\w[\w ]*)")
_LOOP = re.compile(r"\bDoConstruct\b")
_ATOMIC = re.compile(r"OpenMPAtomicConstruct")


def parsed(flang: str, path: str) -> Tree | None:
    """Return what flang's parse tree shows, or None if flang refuses the text."""
    command = [flang, "-fc1", "-fopenmp", "-fdebug-dump-parse-tree-no-sema", path]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return None if result.returncode or "error:" in result.stderr else tree_of(result.stdout)


def tree_of(dump: str) -> Tree:
    """Return the constructs of a dump, each with those around it, the outermost first."""
    around: list[tuple[int, str]] = []
    tree: Tree = Counter()
    opening, waiting = "", ""
    for line in dump.splitlines():
        depth = line.count("| ")
        while around and depth < around[-1][0]:
            around.pop()
        if kind := _DIRECTIVE.search(line):
            opening = kind[1] or ""
        elif waiting and _LOOP.search(line):
            around.append((depth + 1, waiting))
            waiting = ""
        words = _words(line, opening)
        if not words:
            continue
        tree[(*(name for _, name in around), words)] += 1
        if opening == "BeginLoop":
            waiting = words
        elif opening in ("BeginBlock", "BeginSections", "Critical"):
            around.append((depth if opening == "Critical" else depth - 1, words))
        opening = ""
    return tree


def _words(line: str, opening: str) -> str:
    """Return the words of the directive that a line names, where one has begun, or ""."""
    if opening == "Critical":
        return "critical"
    if _ATOMIC.search(line):
        return "atomic"
    named = _NAMED.search(line)
    return named[1].strip() if named and opening else ""
