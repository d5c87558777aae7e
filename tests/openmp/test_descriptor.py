"""The numbers of descriptors are those of pomp.h."""

import re
from pathlib import Path

from pomp_clang.driver.runtime.link import compile_arguments
from pomp_clang.openmp.descriptor import POMP_VERSION, DescriptorFlag

HEADER = (Path(__file__).parents[2] / "runtime" / "include" / "pomp.h").read_text()


def test_flags_are_those_of_the_header() -> None:
    written = {name: int(value) for name, value in re.findall(r"POMP_(\w+) = (\d+)", HEADER)}
    assert written == {flag.name: flag.value for flag in DescriptorFlag}


def test_the_version_is_that_of_the_header_and_of_the_compile() -> None:
    assert f"#define POMP_VERSION {POMP_VERSION}\n" in HEADER
    assert f"-D_POMP={POMP_VERSION}" in compile_arguments(defines_pomp=False)
