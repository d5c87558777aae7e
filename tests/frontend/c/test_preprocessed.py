"""The output of a preprocessor, scanned, and the search that makes a scan superfluous."""

from __future__ import annotations

import pytest

from pomp_clang.frontend.c.preprocessed import holds_nothing, read_output

SYSTEM = '# 1 "/usr/include/omp.h" 1 3 4\nvoid omp_set_lock(int);\n# 2 "a.c" 2\n'
OWN = '# 1 "/project/omp.h" 1\nvoid omp_set_lock(int);\n# 2 "a.c" 2\n'
HOLDING_NOTHING = [
    "int plain;\n",
    SYSTEM,
    f'{SYSTEM}# 1 "/usr/include/a.h" 1 3 4\n\n# 7 "/usr/include/a.h" 3 4\nint omp_unset_lock;\n',
    "#pragma GCC poison x\nint my_omp_set_lock, omp;\n",
]
HOLDING_ITEMS = [
    "#pragma omp parallel\n",
    "#pragma  omp\tflush\n",
    "#pragma pomp inst begin(x)\n",
    "void f(void) { [[omp::directive(barrier)]]; }\n",
    "void f(void) { [[ using omp : directive(barrier)]]; }\n",
    OWN,
    f"{SYSTEM}void f(void) {{ omp_set_lock(0); }}\n",
    f"{OWN}{SYSTEM}",
    "void f(void) { omp_test_nest_lock(0); }\n",
]


@pytest.mark.parametrize("text", HOLDING_NOTHING)
def test_a_text_without_items_is_not_scanned(text: str) -> None:
    output = f'# 1 "a.c"\n{text}'
    assert holds_nothing(output)
    assert read_output(output, "a.c", "<stdin>").is_empty


@pytest.mark.parametrize("text", HOLDING_ITEMS)
def test_a_text_with_items_is_scanned(text: str) -> None:
    output = f'# 1 "a.c"\n{text}'
    assert not holds_nothing(output)
    assert not read_output(output, "a.c", "<stdin>").is_empty


def test_directives_of_system_headers_are_scanned() -> None:
    """They tell which libraries count as the project's."""
    header = '# 1 "/opt/lib/a.h" 1 3\n#pragma omp parallel\n# 2 "a.c" 2\n'
    assert not holds_nothing(header)
    assert read_output(header, "a.c", "<stdin>").system_files == {"/opt/lib/a.h"}


NESTED = """\
# 1 "a.c"
# 1 "<built-in>" 1
# 1 "<command line>" 1
# 1 "<built-in>" 2
# 1 "a.c" 2
# 3 "a.c"
# 1 "b.h" 1
#define B "x" 1
# 4 "b.h"
#pragma omp flush
# 1 "/usr/include/c.h" 1 3 4
#define C 1
# 9 "/usr/include/c.h" 3 4
#pragma omp barrier
# 6 "b.h" 2
char *text = "# 7" " 1 2";
#pragma omp taskwait
# 4 "a.c" 2
# 1 "b.h" 1
#pragma omp flush
# 5 "a.c" 2
# 70 "other.y"
#define D

#pragma omp barrier
"""


def test_items_have_the_places_that_the_markers_tell() -> None:
    output = read_output(NESTED, "a.c", "<stdin>")
    places = [(item.file, item.line, item.text, item.opened) for item in output.directives]
    assert places == [
        ("b.h", 4, "flush", "b.h"),
        ("b.h", 7, "taskwait", "b.h"),
        ("b.h", 1, "flush", "b.h"),
        ("other.y", 72, "barrier", "a.c"),
    ]
    entries = [item.entry for item in output.directives]
    assert entries[0] == entries[1] != entries[2]
    assert [(way.path, way.includer, way.line) for way in output.inclusions] == [
        ("b.h", "a.c", 3),
        ("b.h", "a.c", 4),
    ]
    assert output.system_files == {"/usr/include/c.h"}
    macros = {name: output.macros.get(name) for name in "BCDE"}
    system = {name: macro.system for name, macro in macros.items() if macro is not None}
    assert system == {"B": False, "C": True, "D": False}


def test_headers_in_folders_of_the_project_are_no_system_headers() -> None:
    output = read_output(NESTED, "a.c", "<stdin>", ("/usr/include",))
    assert [item.line for item in output.directives if item.text == "barrier"] == [9, 72]
    assert not output.system_files
    macro = output.macros.get("C")
    assert macro is not None and not macro.system
