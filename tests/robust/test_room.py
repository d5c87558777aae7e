"""Full disks, limits and directories that cannot be written: the program runs on, unharmed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pomp_clang.experiment.reader import read
from tests.robust.both import COMPILERS, Both, Ended, require, visits

REGIONS, TEAM = 1000, 4
OUTPUT = f"{TEAM * REGIONS}\n"


def _source() -> str:
    """Return a thousand teams, each in a function of its own; with an argument no file can be
    opened.
    """
    numbers = range(REGIONS)
    functions = "".join(
        f"static void f{n}(void) {{\n#pragma omp parallel num_threads({TEAM})\n"
        f"#pragma omp critical(c{n})\n  sum++;\n}}\n"
        for n in numbers
    )
    calls = "".join(f"  f{n}();\n" for n in numbers)
    return f"""\
#include <stdio.h>
#include <sys/resource.h>
static int sum;
{functions}
int main(int count, char **words) {{
  struct rlimit none = {{3, 3}};
  if (count > 1 && words[1])
    setrlimit(RLIMIT_NOFILE, &none);
{calls}
  printf("%d\\n", sum);
  return 3;
}}
"""


@pytest.fixture(scope="module", params=COMPILERS)
def many(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Both:
    builds = Both(require(request.param), tmp_path_factory.mktemp("many"))
    source = builds.folder / "many.c"
    source.write_text(_source())
    builds.build(source, "many", "-O0")
    return builds


@pytest.fixture
def disk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """Mount a file system of its own, of the requested size."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={request.param}", "none", str(folder)]
    if os.geteuid() or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no small file system can be mounted here: that takes root")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_thousand_regions(many: Both, tmp_path: Path) -> None:
    ended = many.run("./many", POMP_EXPERIMENT_DIR=str(tmp_path / "run"))
    assert ended == Ended(3, OUTPUT, "")
    assert visits(read(str(tmp_path / "run"))) == {"parallel": TEAM * REGIONS} | {
        f"c{n}": TEAM for n in range(REGIONS)
    }


def _unharmed(ended: Ended, text: str) -> None:
    """Check the program's own output and status, and our single line."""
    assert (ended.status, ended.out) == (3, OUTPUT)
    assert ended.err.count("\n") == 1
    assert text in ended.err


@pytest.mark.parametrize("disk", ["64k"], indirect=True)
def test_a_disk_without_room(many: Both, disk: Path) -> None:
    ended = many.measure("./many", POMP_EXPERIMENT_DIR=str(disk / "run"))
    _unharmed(ended, "No space left on device; nothing is measured")
    assert list(disk.iterdir()) == []


@pytest.mark.parametrize("disk", ["1600k"], indirect=True)
def test_a_disk_that_becomes_full(many: Both, disk: Path) -> None:
    """All data that had room is in the experiment."""
    ended = many.measure("./many", POMP_EXPERIMENT_DIR=str(disk / "run"))
    _unharmed(ended, "No space left on device; what is new from here on is not measured")
    measured = read(str(disk / "run"))
    assert measured.complete
    assert 100 < visits(measured)["parallel"] < TEAM * REGIONS
    assert sum(location.dropped for location in measured.locations)


@pytest.mark.parametrize("disk", ["8m"], indirect=True)
def test_a_disk_that_others_fill(both: Both, disk: Path) -> None:
    """Mapped blocks are already on the disk: writing to them cannot fail."""
    source = both.folder / "filler.c"
    source.write_text(FILLER)
    both.build(source, "filler")
    ended = both.measure("./filler", str(disk / "filling"), POMP_EXPERIMENT_DIR=str(disk / "run"))
    assert ended == Ended(0, "full\n", "")
    shutil.copytree(disk / "run", both.folder / "measured" / "run")
    (measured,) = both.experiments()
    assert visits(measured) == {"parallel": 200, "after": 200}


FILLER = """\
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(int count, char **words) {
  static char block[4096] = {1};
  int fd = open(words[count - 1], O_WRONLY | O_CREAT, 0600), sum = 0;
  while (write(fd, block, sizeof block) > 0)
    ;
  for (int i = 0; i < 100; i++) {
#pragma omp parallel num_threads(2)
#pragma omp critical(after)
    sum++;
  }
  puts(sum == 200 ? "full" : "wrong");
  return 0;
}
"""


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        ("ulimit -f 8", "File too large; nothing is measured"),
        ("ulimit -f 3200", "File too large; what is new from here on is not measured"),
    ],
)
def test_files_may_not_be_large(many: Both, tmp_path: Path, limit: str, expected: str) -> None:
    command = ["sh", "-c", f"{limit}; exec ./many"]
    _unharmed(many.measure(*command, POMP_EXPERIMENT_DIR=str(tmp_path / "run")), expected)


def test_no_file_can_be_opened(many: Both, tmp_path: Path) -> None:
    ended = many.measure("./many", "closed", POMP_EXPERIMENT_DIR=str(tmp_path / "run"))
    _unharmed(ended, "Too many open files; what is new from here on is not measured")
    assert visits(read(str(tmp_path / "run")))["parallel"] > 100


def test_a_directory_that_cannot_be_written(many: Both) -> None:
    """Root may write anywhere except where no process can."""
    ended = many.measure("./many", POMP_EXPERIMENT_DIR="/proc/run")
    _unharmed(ended, "cannot write the experiment to /proc/run: ")
    if os.geteuid() == 0 and shutil.which("setpriv"):
        folder = many.folder / "measured"
        for folder_ in (many.folder.parent, many.folder, folder):
            folder_.chmod(0o755)
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "./many"]
        _unharmed(many.measure(*command, POMP_EXPERIMENT_DIR=""), "Permission denied")


def test_a_million_forks(both: Both) -> None:
    """The counts are exact, and the file does not grow."""
    both.build("forks.c", "forks")
    assert both.run("./forks").out == "1100000\n"
    (measured,) = both.experiments()
    assert visits(measured) == {"parallel": 1100000}
    assert (both.folder / "measured" / "run" / "profile.pomp").stat().st_size < 1 << 16
