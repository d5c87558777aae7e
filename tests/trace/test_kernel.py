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
from tests.create_once import create_once, folder_of_run
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


def _compile(words: list[str], folder: Path) -> None:
    """Compile with the sanitizers; skip the test if the compiler lacks them."""
    runtime = REPOSITORY / "runtime"
    options = ["-std=c11", "-g", "-O1", "-fno-sanitize-recover=undefined"]
    options += [f"-I{runtime}/src", f"-I{runtime}/replay"]
    try:
        result = subprocess.run(
            [CLANG, *options, *words], capture_output=True, text=True, cwd=folder
        )
    except FileNotFoundError:
        pytest.skip(f"{CLANG} is not here")
    if "libclang_rt" in result.stderr:
        pytest.skip(f"{CLANG} is here without its fuzzer (Debian: libclang-rt-19-dev)")
    assert not result.returncode, result.stderr


def _build_library(library: Path) -> None:
    sources = map(str, (REPOSITORY / "runtime" / "replay").glob("*.c"))
    _compile(["-fsanitize=fuzzer-no-link,address,undefined", "-c", *sources], library.parent)
    objects = sorted(library.parent.glob("*.o"))
    subprocess.run(["ar", "rcs", library, *objects], check=True)


def build(source: Path, program: Path, factory: pytest.TempPathFactory) -> None:
    """Build with the fuzzer and the sanitizers. All tests of a run share the library of the
    compiled part."""
    path = folder_of_run(factory, "sanitized-replay") / "libreplay.a"
    library = create_once(path, lambda: _build_library(path))
    words = ["-fsanitize=fuzzer,address,undefined", str(source), str(library), "-o", str(program)]
    _compile(words, program.parent)


def test_no_words_make_it_leave_its_room(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    program, corpus = tmp_path / "fuzz", tmp_path / "corpus"
    build(Path(__file__).with_name("fuzz.c"), program, tmp_path_factory)
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
