"""Real paths are those of the standard library."""

from __future__ import annotations

import os
from pathlib import Path

from pomp_clang.frontend.inclusion import RealPaths


def test_they_are_those_of_the_standard_library(tmp_path: Path) -> None:
    (tmp_path / "folder" / "deep").mkdir(parents=True)
    (tmp_path / "folder" / "file.h").touch()
    (tmp_path / "link").symlink_to("folder")
    (tmp_path / "other.h").symlink_to("folder/file.h")
    (tmp_path / "folder" / "back.h").symlink_to("../other.h")
    (tmp_path / "loop").symlink_to("loop")
    paths = RealPaths()
    for name in (
        "folder/file.h", "link/file.h", "link/deep/../file.h", "other.h", "link/back.h", "loop",
        "link/deep/..", "folder/none.h", "none/none.h", "", "folder/", "./folder//file.h",
    ):  # fmt: skip
        path = os.path.join(tmp_path, name)
        assert paths.of(path) == os.path.realpath(path)
        assert paths.of(os.path.relpath(path)) == os.path.realpath(path)
