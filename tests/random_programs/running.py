"""Commands in a folder: what they leave behind.

pomp-clang runs in a fork of this process, which has loaded all needed modules. This is several
times as fast as starting a new process.
"""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import sysconfig
import threading
from dataclasses import dataclass
from pathlib import Path

import pomp_clang
from pomp_clang.cli import main
from pomp_clang.driver.command.settings import BuildSettings
from pomp_clang.driver.runtime.link import runtime_folder

TIMEOUT = 60


@dataclass(frozen=True, slots=True)
class RandomRun:
    """The result of running a program or a compiler."""

    status: int
    stdout: str
    stderr: str


def _environment(added: dict[str, str]) -> dict[str, str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("POMP_", "OMP_"))}
    return clean | added


def run(command: list[str], folder: Path, **environment: str) -> RandomRun:
    """Run a command; status 124 is one that did not end in time."""
    return run_within(TIMEOUT, command, folder, environment)


def run_within(
    seconds: float, command: list[str], folder: Path, environment: dict[str, str] | None = None
) -> RandomRun:
    """Run a command as `run` does, for so long."""
    started = subprocess.Popen(
        command, cwd=folder, env=_environment(environment or {}), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
        process_group=0,
    )  # fmt: skip
    try:
        stdout, stderr = started.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, signal.SIGKILL)
        started.communicate()
        return RandomRun(124, "", "it does not end")
    return RandomRun(started.returncode, stdout, stderr)


def load() -> None:
    """Load the modules that each run of pomp-clang needs; the runtime comes from the installed
    package.
    """
    BuildSettings.server = "off"  # a fork of this process would serve others
    for name in ("cli.compile", "driver.compile.build", "frontend.c.tree", "rewrite.instrument"):
        importlib.import_module(f"pomp_clang.{name}")
    if not runtime_folder("lib"):
        pomp_clang.__path__.append(f"{sysconfig.get_path('platlib')}/pomp_clang")


def pomp_clang_here(args: list[str], folder: Path, seconds: float = TIMEOUT) -> RandomRun:
    """Run pomp-clang with arguments, for so long."""
    files = [folder / "stdout.txt", folder / "stderr.txt"]
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        _become(args, folder, files)
    stop = threading.Timer(seconds, os.killpg, (child, signal.SIGKILL))
    stop.start()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    stop.cancel()
    stdout, stderr = (file.read_text(errors="replace") for file in files)
    return RandomRun(status, stdout, stderr)


def _become(args: list[str], folder: Path, files: list[Path]) -> None:
    status = 70
    try:
        for number, file in enumerate(files, 1):
            handle = os.open(file, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
            os.dup2(handle, number)
        sys.stdout, sys.stderr = (os.fdopen(number, "w", closefd=False) for number in (1, 2))
        os.chdir(folder)
        for name in [n for n in os.environ if n.startswith(("POMP_", "OMP_"))]:
            del os.environ[name]
        status = main(args)
        sys.stdout.flush()
        sys.stderr.flush()
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 1
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)
