"""Declarations at file scope agree with pomp.h and are valid C. A unit's descriptors are registered
by a bounded number of its files.
"""

from __future__ import annotations

import os
import re
import subprocess
from ctypes import c_void_p, sizeof
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomp_clang.experiment.reader import read
from pomp_clang.frontend.source import encoded
from pomp_clang.frontend.unit import Unit
from pomp_clang.rewrite.c import descriptors
from pomp_clang.rewrite.c.c_text import quoted, signature
from pomp_clang.rewrite.c.registration import MOST_REGISTRATIONS
from pomp_clang.rewrite.instrument import instrument
from tests.compilers import first, links_openmp

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


HEADERS = MOST_REGISTRATIONS + 4


def write_unit(folder: Path) -> Path:
    """Write a source that calls a function of each of its headers, which have an atomic each."""
    for number in range(HEADERS):
        (folder / f"h{number}.h").write_text(
            f"static void f{number}(int *x) {{\n#pragma omp atomic\n  (*x)++;\n}}\n"
        )
    included = "".join(f'#include "h{number}.h"\n' for number in range(HEADERS))
    called = "".join(f"  f{number}(&x);\n" for number in range(HEADERS))
    source = folder / "a.c"
    source.write_text(
        f"{included}int main(void) {{\n  int x = 0;\n{called}  return x != {HEADERS};\n}}\n"
    )
    return source


def test_the_number_of_constructors_is_bounded(tmp_path: Path) -> None:
    source = write_unit(tmp_path)
    preprocess = ("gcc", "-fopenmp", "-x", "c")
    unit = Unit(str(source), source.read_text(), "c", ("-D_OPENMP=201511",), preprocess=preprocess)
    texts = [header.text for header in instrument(unit).headers if header.changed]
    assert len(texts) == HEADERS
    assert sum("__constructor__" in text for text in texts) == MOST_REGISTRATIONS


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
def test_every_header_is_measured(compiler: str, tmp_path: Path) -> None:
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    write_unit(tmp_path)
    build = ["pomp-clang", "--pomp-strict", "--", compiler, "-fopenmp", "a.c", "-o", "app"]
    subprocess.run(build, cwd=tmp_path, check=True)
    environment = os.environ | {"POMP_EXPERIMENT_DIR": str(tmp_path / "run")}
    subprocess.run(["./app"], cwd=tmp_path, env=environment, check=True)
    experiment = read(str(tmp_path / "run"))
    counts = {Path(region.file).name: 0 for region in experiment.regions}
    for (region, _), measured in experiment.profile.items():
        file = next(region_.file for region_ in experiment.regions if region_.id == region)
        counts[Path(file).name] += measured.execC
    assert counts == {f"h{number}.h": 1 for number in range(HEADERS)}


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
def test_lists_of_one_unit_have_no_gaps(compiler: str, tmp_path: Path) -> None:
    if not links_openmp(compiler):
        pytest.skip(f"{compiler} with its OpenMP runtime is not here")
    barriers = "\n#pragma omp barrier" * 3
    (tmp_path / "a.c").write_text("".join(f"void {f}(void) {{{barriers}\n}}\n" for f in "fg"))
    build = ["pomp-clang", "--pomp-strict", "--", compiler, "-fopenmp", "-c", "a.c"]
    subprocess.run(build, cwd=tmp_path, check=True)
    show = ["readelf", "-SW", "a.o"]
    sections = subprocess.run(show, cwd=tmp_path, capture_output=True, text=True, check=True)
    size = re.search(r" pomp_descriptors +PROGBITS +\w+ +\w+ +(\w+) ", sections.stdout)
    assert size is not None
    assert int(size.group(1), 16) == 6 * sizeof(c_void_p)
