"""How a unit is parsed: everything that is the project's, no function body of the system's."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomp_clang.driver.unit.named_source import unit_of
from pomp_clang.frontend.c.libclang import CursorKind
from pomp_clang.frontend.c.node import SyntaxNode
from pomp_clang.frontend.c.tree import SyntaxTree
from pomp_clang.frontend.unit import Unit, UnitError
from pomp_clang.record import replace
from tests.frontend.conftest import compiler

SYSTEM = """\
inline int plain() { for (;;) ; }
template <class T> T of_template(T x) { while (x) ; return x; }
struct Holder { int member() { for (;;) ; } };
constexpr int folded() { int n = 0; for (int i = 0; i < 3; i++) n++; return n; }
inline auto deduced() { for (;;) ; return 1L; }
"""
OWN = """\
#include <system.h>
static_assert(folded() == 3, "constexpr is parsed");
static_assert(sizeof(deduced()) == sizeof(long), "a deduced type is parsed");
template <class T> T never_used(T x) { while (x) ; return x; }
struct Own { int member() { for (;;) ; } };
int used() { auto inner = [](auto y) { while (y) ; return y; }; return inner(of_template(2)); }
"""


def _unit(folder: Path, text: str) -> Unit:
    (folder / "system").mkdir(exist_ok=True)
    (folder / "system" / "system.h").write_text(SYSTEM)
    source = folder / "unit.cpp"
    source.write_text(text)
    command = [
        compiler(True),
        "-std=c++17",
        "-fopenmp",
        "-isystem",
        str(folder / "system"),
        str(source),
    ]
    return unit_of(str(source), command)


def _root(unit: Unit) -> SyntaxNode:
    return SyntaxTree(unit).view(unit.path, len(unit.text)).root


def _loops(node: SyntaxNode) -> int:
    is_loop = node.kind in (CursorKind.FOR_STMT, CursorKind.WHILE_STMT)
    return is_loop + sum(_loops(child) for child in node.children)


def test_own_bodies_are_parsed_templates_that_nobody_uses_among_them(tmp_path: Path) -> None:
    assert _loops(_root(_unit(tmp_path, OWN))) == 3


def test_bodies_of_system_headers_are_left_out_where_nothing_depends_on_them(
    tmp_path: Path,
) -> None:
    header = str(tmp_path / "system" / "system.h")
    root = SyntaxTree(_unit(tmp_path, OWN)).view(header, len(SYSTEM)).root
    members = [inner for node in root.children if node.is_scope for inner in node.children]
    bodies = {
        node.spelling: any(inner.kind == CursorKind.COMPOUND_STMT for inner in node.children)
        for node in [*root.children, *members]
    }
    assert bodies["folded"] and bodies["deduced"]
    assert not bodies["plain"] and not bodies["of_template"] and not bodies["member"]


def test_a_text_that_is_not_the_file_s_is_parsed(tmp_path: Path) -> None:
    unit = _unit(tmp_path, OWN)
    changed = replace(unit, text=OWN + "void more() { for (;;) ; }\n")
    assert _loops(_root(changed)) == 4


def test_what_follows_a_missing_header_is_parsed(tmp_path: Path) -> None:
    unit = _unit(tmp_path, "#include <vector>\n#if __has_include(<none.h>)\n#endif\n" + OWN)
    assert _loops(_root(unit)) == 3
    with pytest.raises(UnitError, match="file not found") as raised:
        SyntaxTree(_unit(tmp_path, '#include "none.h"\n' + OWN))
    assert raised.value.line == 1
