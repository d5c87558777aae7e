"""The loops of a Fortran text as tree-sitter reads them: first and last lines, from 1.

It reads free form alone, and directives as comments. Text behind `!$` is code here, too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pomp_clang.frontend.constructs import FoundConstructs
from pomp_clang.openmp.directives import DirectiveForm

if TYPE_CHECKING:
    from tree_sitter import Node

_CONDITIONAL = re.compile(r"^(\s*)!\$(?=\s|&)", re.M)
_COMMENT = re.compile(r"^[ \t]*!(?!\$[ &]).*", re.M)
_LOOPS = frozenset(("do_loop", "do_loop_statement"))


def parsed_loops(text: str) -> dict[int, int]:
    """Return the last line of each loop by its first one."""
    import tree_sitter
    import tree_sitter_fortran

    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_fortran.language()))
    loops: dict[int, int] = {}
    code = _CONDITIONAL.sub("\\1  ", text)
    waiting: list[Node] = [parser.parse(code.encode()).root_node]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        if node.type in _LOOPS:
            loops[node.start_point.row + 1] = _last_line(node)
    return loops


def _last_line(node: Node) -> int:
    """Return the line of the last character: the node may reach to the beginning of the next."""
    return node.end_point.row + (1 if node.end_point.column else 0)


def scanned_loops(found_constructs: FoundConstructs) -> dict[int, int]:
    """Return the last line of each loop of a construct by its first one."""
    source = found_constructs.constructs.source
    loops: dict[int, int] = {}
    for item in found_constructs.constructs.items:
        if item.directive is None or item.directive.form is not DirectiveForm.LOOP:
            continue
        assert item.block is not None
        # Comments may stand between the loop and an END directive.
        code = _COMMENT.sub("", source.text[item.block.start : item.block.end]).rstrip()
        loops[source.line(item.block.start)] = source.line(item.block.start) + code.count("\n")
    return loops
