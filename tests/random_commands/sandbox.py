"""Run a case in an empty folder, natively or behind pomp-clang, and observe what it leaves."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import struct
import subprocess
import time
from dataclasses import dataclass, replace
from pathlib import Path

from tests.random_commands.case import Case, Step

TIMEOUT = 60.0
PATIENCE = 20
"""How many times as long as the plain compiler pomp-clang may take, and at least LEAST seconds on a
processor of its own."""
LEAST = 15.0
EPOCH = 1_700_000_000
"""The time of all sources."""

KINDS: tuple[tuple[bytes, str], ...] = (
    (b"!<arch>\n", "archive"),
    (b"!<thin>\n", "archive"),
    (b"BC\xc0\xde", "bitcode"),
    (b"CPCH", "precompiled header"),
    (b"gpch", "precompiled header"),
    (b"oncg", "coverage notes"),
    (b"adcg", "coverage data"),
    (b"DIAG", "diagnostics"),
)
FILLS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("zero", ("-finit-real=zero", "-finit-integer=0", "-finit-logical=false")),
    ("pattern", ("-finit-real=inf", "-finit-integer=77", "-finit-logical=true")),
)
"""Ways to fill variables that have no initial value, as C compilers name them and as gfortran does."""

ELF_KINDS = {1: "object", 2: "program", 3: "shared object or program"}
TEXTS = (".d", ".mk", ".i", ".ii")
"""Endings of files that are compared as texts; others are compared by their kind."""


@dataclass(frozen=True, slots=True)
class StepResult:
    """How a step ended, and how long it took; status 124 is one that did not end."""

    status: int
    stdout: str
    stderr: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Observation:
    """What a case did: its steps, files with their kinds and texts, programs, and leftovers."""

    steps: tuple[StepResult, ...]
    files: dict[str, str]
    texts: dict[str, str]
    programs: dict[str, tuple[int, str]]
    temporary: tuple[str, ...]
    processes: tuple[str, ...]


class Sandbox:
    """The folder for cases: `work` is theirs, `tmp` is for temporary files."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.work, self.tmp = base / "work", base / "tmp"

    def observe(self, case: Case, instrumented: bool) -> Observation:
        """Run a case from the start."""
        self._lay(case)
        others = frozenset(_children())
        results = tuple(self._run(case, step, instrumented) for step in case.steps)
        processes = tuple(self._processes(others))
        temporary = tuple(sorted(os.listdir(self.tmp)))
        files = {name: self._kind(path) for name, path in self._paths() if name not in case.files}
        texts = {
            name: self._text(path.read_bytes())
            for name, path in self._paths()
            if files.get(name, "").startswith("text") and name.endswith(TEXTS)
        }
        programs = {
            name: self._program(case, name) for name, kind in files.items() if "program" in kind
        }
        return Observation(results, files, texts, programs, temporary, processes)

    def undetermined(self, case: Case) -> frozenset[str]:
        """Return the programs whose output depends on variables without a value.

        The plain compiler fills these variables in two ways.
        """
        zeros, others = (
            self.observe(_filled(case, *fill), instrumented=False).programs for fill in FILLS
        )
        return frozenset(name for name in zeros if zeros[name] != others.get(name))

    def _lay(self, case: Case) -> None:
        for folder in (self.work, self.tmp, self.base / "kept", self.base / "experiment"):
            shutil.rmtree(folder, ignore_errors=True)
        for folder in (self.work / "sub", self.tmp):
            folder.mkdir(parents=True)
        for name, text in case.files.items():
            path = self.work / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
            os.utime(path, (EPOCH, EPOCH))
        for name, target in case.links.items():
            (self.work / name).symlink_to(target)

    def _run(self, case: Case, step: Step, instrumented: bool) -> StepResult:
        words = list(step.words)
        if step.is_tool and instrumented:
            words = [self._resolved(case, word) for word in words]
        elif instrumented:
            words = ["pomp-clang", *case.pomp, "--", *words]
        began = time.monotonic()
        if "/" in words[0] and not (self.work / words[0]).exists():
            return StepResult(127, "", "", 0.0)
        process = subprocess.Popen(
            words, cwd=self.work / step.folder, env=self._environment(case, step.environment),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0,
        )  # fmt: skip
        try:
            if step.interrupt:
                time.sleep(step.interrupt)
                process.send_signal(signal.SIGTERM)
            out, err = process.communicate(step.stdin, timeout=TIMEOUT)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            status = 124
        seconds = time.monotonic() - began
        return StepResult(status, self._text(out), self._text(err), seconds)

    def _resolved(self, case: Case, word: str) -> str:
        """Return a word of a tool's command with compilers behind pomp-clang, as in `CC=gcc`."""
        name, equals, value = word.partition("=")
        if equals and name in ("CC", "CXX", "FC"):
            return f"{name}={' '.join(['pomp-clang', *case.pomp, '--', value])}"
        return word

    def _environment(self, case: Case, added: dict[str, str]) -> dict[str, str]:
        kept = {
            k: v
            for k, v in os.environ.items()
            if not k.startswith(("POMP_", "OMP_", "LC_", "MAKE", "GCC_"))
        }
        return {
            **kept, "TMPDIR": str(self.tmp), "POMP_FLAGS": "" if case.is_served else "--pomp-server=off", "LANG": "C",
            "OMP_NUM_THREADS": "2", "POMP_EXPERIMENT_DIR": str(self.base / "experiment"), **added,
        }  # fmt: skip

    def _paths(self) -> list[tuple[str, Path]]:
        """Return what is in the folder, without a cache of modules. For that clang makes the folder of
        -working-directory once more, in itself."""
        paths = [(str(path.relative_to(self.work)), path) for path in sorted(self.work.rglob("*"))]
        of_modules = "cache", "sub/sub"
        return [(name, path) for name, path in paths if not name.startswith(of_modules)]

    def _text(self, data: bytes) -> str:
        return data.decode("utf-8", "backslashreplace")

    def _kind(self, path: Path) -> str:
        about = path.lstat()
        if not stat.S_ISREG(about.st_mode):
            return oct(stat.S_IFMT(about.st_mode))
        with open(path, "rb") as file:
            head = file.read(20)
        kind = "text" if head else "empty"
        for magic, name in KINDS:
            if head.startswith(magic):
                kind = name
        if head[:4] == b"\x7fELF":
            kind = ELF_KINDS.get(head[16], "ELF")
        return f"{kind} {oct(about.st_mode & 0o777)}"

    def _program(self, case: Case, name: str) -> tuple[int, str]:
        path = self.work / name
        if not _is_program(path.read_bytes()):
            return 0, ""  # a shared library
        environment = self._environment(case, {"LD_LIBRARY_PATH": f"{self.work}:{self.work}/lib"})
        environment["OMP_DISPLAY_AFFINITY"] = "false"
        try:
            done = subprocess.run(
                [str(path)], cwd=self.base, env=environment, stdin=subprocess.DEVNULL,
                capture_output=True, timeout=20, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            return 125, type(error).__name__
        return done.returncode, self._text(done.stdout)

    def _processes(self, others: frozenset[int]) -> list[str]:
        """Return the processes that were left behind: they are ours, as a subreaper's. The `others`
        were ours before, as a browser of other tests."""
        left = []
        deadline = time.monotonic() + 2
        while time.monotonic() < deadline:
            left = [name for name in map(_reaped, set(_children()) - others) if name]
            if not left:
                break
            time.sleep(0.05)
        return left


def _filled(case: Case, value: str, for_fortran: tuple[str, ...]) -> Case:
    """Return a case whose compilers fill variables with a value."""
    for_c: tuple[str, ...] = (f"-ftrivial-auto-var-init={value}",)
    options = dict.fromkeys(("gcc", "g++", "clang-19", "clang++-19"), for_c)
    options["gfortran"] = for_fortran
    steps = (
        replace(step, words=(step.words[0], *options.get(step.words[0], ()), *step.words[1:]))
        for step in case.steps
    )
    return replace(case, steps=tuple(steps))


def _is_program(data: bytes) -> bool:
    """Return True if a file of ELF names an interpreter, or has fixed addresses."""
    start, size, count = struct.unpack_from("<Q", data, 32)[0], *struct.unpack_from("<HH", data, 54)
    kinds = (struct.unpack_from("<I", data, start + n * size)[0] for n in range(count))
    return data[16] == 2 or 3 in kinds


def _children() -> list[int]:
    with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def _reaped(process: int) -> str:
    """Return the command of a process that still runs; a process that has ended is reaped."""
    try:
        if os.waitpid(process, os.WNOHANG)[0]:
            return ""
        if Path(f"/proc/{process}/comm").read_text() == "pomp-server\n":
            return ""
        command = Path(f"/proc/{process}/cmdline").read_bytes()
    except (ChildProcessError, OSError):
        return ""
    return command.replace(b"\0", b" ").decode("utf-8", "replace").strip()


def adopt_orphans() -> None:
    """Become the parent of processes whose parents end (PR_SET_CHILD_SUBREAPER)."""
    import ctypes

    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
