"""The #include directives of a text: a quick search finds those that a search of all lines finds."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from pomp_clang.frontend.inclusion import (
    _INCLUDE,
    Inclusion,
    InclusionGraph,
    include_directives,
    with_copies,
)

PIECES = (
    '#include "a.h"', "\n", " ", "#", "%:", "include", "import <b>", "include_next X", "\\\n", "x",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_each_directive_is_found_at_its_line(text: str) -> None:
    expected = [
        (text.count("\n", 0, match.start("operand")) + 1, match.group(0))
        for match in _INCLUDE.finditer(text)
    ]
    assert [(line, match.group(0)) for line, match in include_directives(text)] == expected


def test_a_header_is_copied_with_what_leads_to_it(tmp_path: Path) -> None:
    """By a directive that an include guard makes idle too, and by a name that a macro gives."""
    texts = {
        "main.c": '#include "first.h"\n#include "idle.h"\n#include OTHER\n#include "alone.h"\n',
        "first.h": '#include "leaf.h"\n',
        "idle.h": '#include "leaf.h"\n',
        "macro.h": "#include LEAF\n",
        "alone.h": "",
        "leaf.h": "int old;\n",
    }
    names = {name: str(tmp_path / name) for name in texts}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    entered = [
        Inclusion(names[path], names[includer], line, 0)
        for includer, line, path in (
            ("main.c", 1, "first.h"),
            ("first.h", 1, "leaf.h"),
            ("main.c", 2, "idle.h"),
            ("main.c", 3, "macro.h"),
            ("macro.h", 1, "leaf.h"),
            ("main.c", 4, "alone.h"),
        )
    ]
    graph = InclusionGraph(
        names["main.c"], {names[name]: text for name, text in texts.items()}, entered, ()
    )
    headers, _ = with_copies(graph, {names["leaf.h"]: "int new;\n"})
    copied = [Path(header.path).name for header in headers]
    assert copied == ["first.h", "idle.h", "leaf.h", "macro.h"]
