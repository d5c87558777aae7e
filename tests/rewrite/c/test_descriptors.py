"""Declarations at file scope agree with pomp.h and are valid C."""

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomp_clang.frontend.source import encoded
from pomp_clang.rewrite.c import descriptors
from pomp_clang.rewrite.c.c_text import quoted, signature
from tests.compilers import first

HEADER = (Path(__file__).parents[3] / "runtime" / "include" / "pomp.h").read_text()


def test_members_are_those_of_the_header_in_order_and_type() -> None:
    body = re.sub(r"/\*.*?\*/", "", HEADER, flags=re.S)
    struct = re.search(r"struct ompregdescr \{(.*?)\}", body, re.S)
    assert struct is not None
    header_members = []
    for declaration in filter(None, (d.strip() for d in struct.group(1).split(";"))):
        member = re.fullmatch(r"(.*?[\s*])(\w+(?:,\s*\w+)*)", declaration, re.S)
        assert member is not None
        kind, names = member.groups()
        header_members += [(kind.strip(), name.strip()) for name in names.split(",")]
    members = re.findall(r"\s*(.*?[\s*])__(\w+);", descriptors.MEMBERS)
    assert [(kind.strip(), name) for kind, name in members] == header_members


def test_signatures_are_those_of_the_header() -> None:
    declarations = re.sub(r"/\*.*?\*/", "", HEADER, flags=re.S)
    for result, name, arguments in re.findall(r"(\w+ \*?)(POMP_\w+)\(([^)]*)\);", declarations):
        plain = re.sub(r"(\w+ \*{0,2})\w+(?=,|$)", r"\1", arguments).replace(
            "OMPRegDescr", "struct ompregdescr"
        )
        plain = ", ".join(part.strip() for part in plain.split(",")) or "void"
        plain = "void" if arguments == "void" else plain
        expected = f"{result}{name}({plain})"
        actual = signature(name).format(name)
        if name != "POMP_Register":
            assert actual == expected


@settings(max_examples=20)
@given(st.lists(st.text(max_size=40), min_size=1, max_size=30))
def test_a_quoted_text_is_a_literal_of_that_value(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    texts = [t.replace("\0", "").encode("utf-8", "ignore").decode("utf-8") for t in texts]
    folder = tmp_path_factory.mktemp("quoted")
    source = folder / "a.c"
    calls = "".join(f"fputs({quoted(encoded(t))}, stdout); putchar(0);\n" for t in texts)
    source.write_text(f"#include <stdio.h>\nint main(void) {{\n{calls}return 0; }}\n")
    compiler = first("gcc", "clang-19", "clang") or pytest.skip("no compiler is here")
    command = [compiler, "-std=c89", "-trigraphs", str(source), "-o", str(folder / "a")]
    subprocess.run(command, check=True)
    output = subprocess.run([str(folder / "a")], capture_output=True, check=True).stdout
    assert output == b"".join(t.encode() + b"\0" for t in texts)
