"""Folders of -isystem options whose headers count as the project's."""

from __future__ import annotations

import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest

from pomp_clang.frontend.inclusion import as_project, project_folders

FOLDERS = ["-Ia", "-isystem", "b", "-O2", "-isystemc/", "-isystem", "d", "-idirafter", "e"]


def test_folders_up_to_the_last_one_with_a_directive_count() -> None:
    assert project_folders(FOLDERS, ["c/kernel.hpp"]) == ("b", "c/")
    assert project_folders(FOLDERS, ["d/deep/kernel.hpp", "b/k.h"]) == ("b", "c/", "d")
    assert project_folders(FOLDERS, ["/usr/include/kernel.hpp", "bb/k.h"]) == ()
    assert project_folders(FOLDERS, []) == ()


def test_other_arguments_stay_in_their_order() -> None:
    assert as_project(FOLDERS, ()) == tuple(FOLDERS)
    changed = as_project(FOLDERS, ("b", "c/"))
    assert changed == ("-Ia", "-O2", "-isystem", "d", "-idirafter", "e", "-Ib", "-Ic/")


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
def test_a_header_is_found_in_the_same_folder_as_before(compiler: str, tmp_path: Path) -> None:
    """A folder that both options name is searched where -isystem has it."""
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not here")
    for name in "abc":
        (tmp_path / name).mkdir()
        for header in ("shared.h", f"{name}.h", *(f"not_{n}.h" for n in "abc" if n != name)):
            (tmp_path / name / header).write_text(f"{name}\n")

    def read(*arguments: str) -> str:
        source = "".join(f"#include <{h}.h>\n" for h in ("shared", "not_a", "not_b", "not_c"))
        command = [compiler, "-E", "-P", *arguments, "-x", "c", "-"]
        result = subprocess.run(
            command, cwd=tmp_path, input=source, capture_output=True, text=True, check=True
        )
        return result.stdout

    for options in product(("-I", "-isystem"), repeat=4):
        folder_options = [f"{option}{name}" for option, name in zip(options, "abcb", strict=True)]
        for name in "abc":
            project = project_folders(folder_options, [f"{name}/{name}.h"])
            assert read(*as_project(folder_options, project)) == read(*folder_options), (
                folder_options,
                project,
            )
