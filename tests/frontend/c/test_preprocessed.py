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
