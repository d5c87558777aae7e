"""Static libraries with other objects in them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from pomp_clang.driver.archive import members, with_others


def archive(folder: Path, **contents: bytes) -> bytes:
    if not shutil.which("ar"):
        pytest.skip("no ar is here")
    for name, data in contents.items():
        (folder / name).write_bytes(data)
    subprocess.run(["ar", "rcS", "made.a", *contents], cwd=folder, check=True)
    return (folder / "made.a").read_bytes()


def test_another_content_stands_in_the_member_s_place(tmp_path: Path) -> None:
    long = "a_name_that_takes_more_than_sixteen_letters.o"
    data = archive(tmp_path, **{"a.o": b"odd", long: b"even", "c.o": b"last"})
    spans = {data[each.start : each.end]: each for each in members(data) if not each.is_index}
    (tmp_path / "made.a").write_bytes(with_others(data, {spans[b"even"].start: b"other"}))

    def told(*words: str) -> bytes:
        return subprocess.run(["ar", *words], cwd=tmp_path, capture_output=True, check=True).stdout

    assert told("t", "made.a").decode().split() == ["a.o", long, "c.o"]
    assert [told("p", "made.a", name) for name in ("a.o", long, "c.o")] == [
        b"odd",
        b"other",
        b"last",
    ]


@pytest.mark.parametrize("cut", [4, 20, 70])
def test_what_is_no_whole_archive_is_refused(tmp_path: Path, cut: int) -> None:
    data = archive(tmp_path, a=b"some contents")
    with pytest.raises(ValueError, match="no archive"):
        members(data[:cut] if cut != 20 else data[:60] + b"junk" + data[64:])
