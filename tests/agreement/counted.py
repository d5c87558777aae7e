"""What coverage tools say of a program natively and instrumented, row by row."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.random_programs.check import COMPILERS
from tests.random_programs.program import Program

Row = tuple[str, ...]
Rows = dict[Row, str]

_ATOMIC = "-fprofile-update=atomic"
_MAPPED = ("-fprofile-instr-generate", "-fcoverage-mapping", _ATOMIC)
_PROFILED = "app.profdata"
_SHOWN = (
    ("report", "-show-functions", "-show-branch-summary"),
    ("show", "-show-branches=count", "-show-regions", "-show-expansions", "-show-instantiations"),
    ("export",),
    ("export", "-format=lcov"),
)
_RUNS = 3
_MORE_RUNS = 12


class UnfitError(Exception):
    """The program or a tool fails; whether it is so natively, and why."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A way of counting: the compiler, its options, and the tool that reads what comes of it."""

    compiler: str
    flags: tuple[str, ...]
    tool: str


KINDS = {
    "gcc": Kind("gcc", ("-O0", "--coverage", _ATOMIC), "gcov"),
    "gcc-O2": Kind("gcc", ("-O2", "--coverage", _ATOMIC), "gcov"),
    "clang": Kind("clang-19", ("-O0", "--coverage", _ATOMIC), "llvm-cov gcov"),
    "clang-O2": Kind("clang-19", ("-O2", "--coverage", _ATOMIC), "llvm-cov gcov"),
    "regions": Kind("clang-19", ("-O0", *_MAPPED), "llvm-cov"),
    "regions-O2": Kind("clang-19", ("-O2", *_MAPPED), "llvm-cov"),
}


@dataclass(frozen=True, slots=True)
class Compared:
    """How many rows are the same in every native run, which of them are others instrumented,
    and what was said of the build."""

    rows: int
    differing: tuple[str, ...]
    said: str


def compare_random(made: Program, kind: Kind, root: Path) -> Compared:
    """Raises `UnfitError`."""
    texts = made.texts()
    sources = [name for name in texts if not name.endswith(".h")]
    flags = ("-w", *made.flags, *kind.flags, "-lm")
    settings = {
        "OMP_NUM_THREADS": str(made.settings.threads),
        "OMP_CANCELLATION": str(made.settings.cancellation).lower(),
    }
    compiler = COMPILERS[made.language][kind.compiler]
    return compare(root, texts, [compiler, *flags, *sources], kind.tool, settings)


def compare(
    root: Path,
    texts: Mapping[str, str],
    command: Sequence[str],
    tool: str,
    settings: Mapping[str, str],
) -> Compared:
    """Build and run it in one folder: clang names what runs on a device by its source's inode.

    Raises `UnfitError`.
    """
    folder = root / "work"
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text)
    words = [*command, "-fopenmp", "-o", "app"]
    environment = {
        **os.environ,
        "LC_ALL": "C",
        "OMP_DYNAMIC": "false",
        "OMP_WAIT_POLICY": "passive",
        "POMP_EXPERIMENT_DIR": str(root / "experiment"),
        **settings,
    }
    sources = [Path(word).stem for word in command if word in texts]
    _told(folder, [*words, "-D_POMP=202611"])
    native = [_ran(folder, tool, sources, environment) for _ in range(_RUNS)]
    kept = root / "native"
    shutil.copytree(folder, kept)
    for path in folder.iterdir():
        if path.name not in texts:
            path.unlink()
    said = _told(folder, ["pomp-clang", "--", *words])
    ours = _ran(folder, tool, sources, environment)
    differing = _differing(native, ours)
    if differing:
        # What depends on how threads are scheduled may have been alike by chance.
        shutil.copytree(kept, folder, dirs_exist_ok=True)
        native += [_ran(folder, tool, sources, environment) for _ in range(_MORE_RUNS)]
        differing = _differing(native, ours)
    return Compared(len(_steady(native)), tuple(differing), said)


def _steady(runs: Sequence[Rows]) -> Rows:
    first, *others = runs
    return {key: row for key, row in first.items() if all(e.get(key) == row for e in others)}


def _differing(native: Sequence[Rows], ours: Rows) -> list[str]:
    steady = _steady(native)
    found = [key for key, row in steady.items() if ours.get(key) != row]
    new = [key for key in ours if all(key not in each for each in native)]
    return [f"{' '.join(key)}: {steady.get(key)} | {ours.get(key)}" for key in (*found, *new)]


def _told(
    folder: Path, command: Sequence[str], environment: Mapping[str, str] | None = None
) -> str:
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, timeout=120, check=True
        )
    except subprocess.TimeoutExpired as error:
        raise UnfitError(str(error)) from None
    except subprocess.CalledProcessError as error:
        raise UnfitError(f"{error} {error.stderr.decode(errors='replace')[-400:]}") from None
    return (done.stdout + done.stderr).decode("utf-8", "replace")


def _ran(folder: Path, tool: str, sources: Sequence[str], environment: Mapping[str, str]) -> Rows:
    """What is said of one run, by its place."""
    for path in (*folder.glob("*.gcda"), *folder.glob("*.profraw")):
        path.unlink()
    try:
        subprocess.run(
            ["./app"], cwd=folder, env=environment, capture_output=True, timeout=60, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise UnfitError(str(error)) from None
    if tool == "llvm-cov":
        return _regions(folder)
    if tool == "gcov":
        return _gcov(folder, ["gcov", "-b", "-c", "-f"], sources) | _blocks(folder, sources)
    command = ["llvm-cov-19", "gcov"]
    return _gcov(folder, [*command, "-b", "-c", "-f"], sources) | _gcov(
        folder, [*command, "-i"], sources
    )


def _gcov(folder: Path, command: list[str], sources: Sequence[str]) -> Rows:
    rows: Rows = {}
    for source in sources:
        key = (*command, source)
        rows |= _numbered(key, _told(folder, [*command, f"app-{source}.gcda"]))
        for path in folder.glob("*.gcov"):
            rows |= _numbered((*key, path.name), path.read_text())
            path.unlink()
    return rows


def _blocks(folder: Path, sources: Sequence[str]) -> Rows:
    """What gcov tells machines: of every block."""
    rows: Rows = {}
    for source in sources:
        _told(folder, ["gcov", "-j", "-b", "-a", f"app-{source}.gcda"])
        for path in folder.glob("*.gcov.json.gz"):
            with gzip.open(path) as file:
                rows |= _leaves(("gcov", "-j", source, path.name), json.load(file))
            path.unlink()
    return rows


def _regions(folder: Path) -> Rows:
    _told(folder, ["llvm-profdata-19", "merge", "default.profraw", "-o", _PROFILED])
    command = ["llvm-profdata-19", "show", "--all-functions", "--counts", _PROFILED]
    rows = _numbered(("llvm-profdata", "show"), _told(folder, command))
    sources = sorted(path.name for path in folder.iterdir() if path.suffix in (".c", ".cpp", ".h"))
    for words in _SHOWN:
        command = ["llvm-cov-19", words[0], "./app", f"-instr-profile={_PROFILED}", *words[1:]]
        text = _told(folder, [*command, *(sources if words[0] == "report" else ())])
        rows |= _leaves(words, json.loads(text)) if text[0] == "{" else _numbered(words, text)
    return rows


def _numbered(key: Row, text: str) -> Rows:
    return {(*key, str(n)): line for n, line in enumerate(text.splitlines())}


def _leaves(key: Row, value: Any) -> Rows:
    """What is in a JSON text; lists of plain values are one row."""
    if isinstance(value, dict):
        parts = list(value.items())
    elif isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
        parts = [(str(n), each) for n, each in enumerate(value)]
    else:
        return {key: repr(value)}
    return {
        place: row for name, each in parts for place, row in _leaves((*key, name), each).items()
    }
