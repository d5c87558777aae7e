"""The compiled part, built with sanitizers and fed arbitrary file contents; and the message shown
if it is missing."""

from __future__ import annotations

import ctypes
import struct
import subprocess
from pathlib import Path

import pytest

from pomp_clang.experiment import ExperimentError
from pomp_clang.trace import kernel
from pomp_clang.trace.layout import Op
from tests.conftest import REPOSITORY
from tests.trace.handmade import LOCK, word
from tests.trace.test_replay import MASTER, WORKER

CLANG = "clang-19"
RUNS = 40_000

LOCKS = [
    word(op, LOCK, time, lock)
    for time, (op, lock) in enumerate(
        [(Op.HOLDS_MORE, 5), (Op.HOLDS_MORE, 5), (Op.HOLDS, 6), (Op.RELEASES, 5), (Op.RELEASES, 5)]
    )
]


def build(source: Path, program: Path) -> None:
    """Build with the fuzzer and the sanitizers."""
    runtime = REPOSITORY / "runtime"
    options = ["-std=c11", "-g", "-O1", "-fno-sanitize-recover=undefined"]
    options += ["-fsanitize=fuzzer,address,undefined", f"-I{runtime}/src", f"-I{runtime}/replay"]
    sources = [str(source), *map(str, (runtime / "replay").glob("*.c"))]
    try:
        result = subprocess.run(
            [CLANG, *options, *sources, "-o", str(program)], capture_output=True, text=True
        )
    except FileNotFoundError:
        pytest.skip(f"{CLANG} is not here")
    if "libclang_rt" in result.stderr:
        pytest.skip(f"{CLANG} is here without its fuzzer (Debian: libclang-rt-19-dev)")
    assert not result.returncode, result.stderr


def test_no_words_make_it_leave_its_room(tmp_path: Path) -> None:
    program, corpus = tmp_path / "fuzz", tmp_path / "corpus"
    build(Path(__file__).with_name("fuzz.c"), program)
    corpus.mkdir()
    for name, events in {"master": MASTER, "worker": WORKER, "locks": LOCKS}.items():
        words = [value for event in events for value in event]
        (corpus / name).write_bytes(struct.pack(f"<{len(words)}Q", *words))
    command: list[str | Path] = [
        program,
        f"-runs={RUNS}",
        "-max_len=2048",
        "-seed=1",
        "-len_control=0",
        corpus,
    ]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert not result.returncode, result.stderr
    assert f"Done {RUNS} runs" in result.stderr


def test_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pomp_clang.__path__", [str(tmp_path)])
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path))
    with pytest.raises(ExperimentError, match="what reads traces is missing"):
        kernel.load.__wrapped__("")


def test_it_is_of_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    class Larger(ctypes.Structure):
        _fields_ = [*kernel.Decoding._fields_, ("more", ctypes.c_uint64)]

    monkeypatch.setattr(kernel, "Decoding", Larger)
    with pytest.raises(ExperimentError, match="is of another pomp-clang: reinstall"):
        kernel.load.__wrapped__("")
