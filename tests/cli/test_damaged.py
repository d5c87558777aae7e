"""Damaged files in an experiment, an OTF2 archive or saved causes: each verb that reads them
reports the damage in one line, or continues without the damaged part.
"""

from __future__ import annotations

import random
import shutil
import warnings
from pathlib import Path

import pytest

from pomp_clang.cli import main
from tests.causes.scripts import write_trace
from tests.causes.test_damaged import MASTER, THIRD, WORKER
from tests.trace.mpi.handmade import Process

EXPERIMENT, ARCHIVE, CAUSES = "experiment", "archive", "causes.pomp"
PROCESSES = "processes"
"""An archive of a job of MPI."""
COMMANDS = {
    EXPERIMENT: (
        "trace {}", "analyze {}", "analyze {} --format html -o {out}", "report {}",
        "report {} --format json", "report {} --format html -o {out}", "diff {} {whole}",
        "diff {whole} {} --format html -o {out}", "analyze {} {whole}", "score {}", "scale {} {whole}",
        "export {} --to otf2 -o {out}", "export {} --to cube -o {out}",
        "export {} --to causes -o {out}",
        "export {} --to perfetto -o {out}", "export {} --to hatchet -o {out}",
    ),
    ARCHIVE: ("trace {}", "analyze {}", "export {} --to speedscope -o {out}", "diff {} {whole}"),
    PROCESSES: (
        "trace {}", "analyze {}", "export {} --to otf2 -o {out}", "export {} --to perfetto -o {out}",
    ),
    CAUSES: ("analyze {}", "diff {} {whole}", "analyze {whole} --against {}", "report {}"),
}  # fmt: skip
FOREIGN = (
    b"",
    b"\0",
    b"\0" * 4096,
    b"\x7fELF" * 99,
    b"hello world\n" * 9,
    b"POMPTRC\n",
    b"POMPCUB\n",
)
SEEDS = 52


def damaged(content: bytes, rng: random.Random) -> bytes:
    """Return another file's content, or the content cut off, or with bytes changed, missing or
    repeated.
    """
    data = bytearray(content)
    match rng.randrange(4):
        case 0:
            return rng.choice(FOREIGN)
        case 1:
            return content[: rng.randrange(len(content) + 1)]
        case 2:
            for _ in range(rng.choice((1, 4, 16))):
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        case 3:
            at, many = rng.randrange(len(data)), rng.choice((1, 8, 64))
            data[at : at + many] = rng.choice((b"", b"\xff" * many, bytes(data[:many]) * 2))
    return bytes(data)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    (folder / EXPERIMENT).mkdir()
    run = write_trace(folder / EXPERIMENT, MASTER, WORKER, THIRD, levels=(0, 1, 2))
    assert not main(["analyze", run, "--save", str(folder / CAUSES), "-o", str(folder / "said")])
    assert not main(["export", run, "--to", "otf2", "-o", str(folder / ARCHIVE)])
    process_, other = Process(0, 2), Process(1, 2)
    process_.send(100, 200, 1)
    other.receive(110, 300, 0)
    for process in (process_, other):
        process.barrier(400, 500)
        process.write(folder / "job")
    assert not main(["export", str(folder / "job"), "--to", "otf2", "-o", str(folder / PROCESSES)])
    return folder


@pytest.mark.parametrize("seed", range(SEEDS))
def test_what_is_damaged_is_told_in_a_line(
    whole: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], seed: int
) -> None:
    rng = random.Random(seed)
    what = list(COMMANDS)[seed % len(COMMANDS)]
    place = tmp_path / what
    copy = shutil.copytree if (whole / what).is_dir() else shutil.copy
    copy(whole / what, place)
    files = sorted(path for path in (place, *place.rglob("*")) if path.is_file())
    file = rng.choice(files)
    file.write_bytes(damaged(file.read_bytes(), rng))
    capfd.readouterr()
    for command in rng.sample(COMMANDS[what], 2):
        words = command.format(place, whole=whole / EXPERIMENT, out=tmp_path / "out").split()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            status = main(words)
        output = capfd.readouterr().err
        assert status in (0, 1), (words, output)
        assert status == 0 or output.startswith("pomp-clang: "), (words, output)
        assert status == 0 or len(output.splitlines()) == 1, (words, output)


def test_foreign_files_are_refused(whole: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Files of other kinds get an error message of one line."""
    file = whole / "foreign"
    for content in FOREIGN:
        file.write_bytes(content)
        for verb in ("trace", "analyze", "report"):
            assert main([verb, str(file)]) == 1, (verb, content[:8])
            assert capfd.readouterr().err.count("\n") == 1
