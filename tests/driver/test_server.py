"""The process that a compile leaves behind: its children do as the client would have done."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

LEAVE = """
import sys
from pomp_clang.driver.process.programs import become
from pomp_clang.driver.server.serve import leave_server
leave_server(sys.argv[1], become, float(sys.argv[2]))
"""
LEAVE_WITH_FOLDER = """
import sys, tempfile
from pomp_clang.driver.server.serve import leave_server
tempfile.gettempdir()
leave_server(sys.argv[1], lambda words: print(tempfile.gettempdir()) or 0, float(sys.argv[2]))
"""
LEAVE_TO_IMPORT = """
import sys
from importlib import import_module
from pomp_clang.driver.server.serve import leave_server
def handle(words):
    print(words[-1] in sys.modules)
    import_module(words[-1])
    return 0
leave_server(sys.argv[1], handle, float(sys.argv[2]))
"""
ASK = """
import sys
from pomp_clang.driver.process.signals import end_like
from pomp_clang.driver.server.client import ask
status = ask(sys.argv[2:], sys.argv[1])
sys.exit(99 if status is None else end_like(status))
"""
NOT_SERVED = 99
OURS = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
SESSION = "ps -o sid= -p $$"

Ask = Callable[..., "subprocess.Popen[bytes]"]


def leave(library: Path, idle: float = 30, script: str = LEAVE) -> None:
    command = [sys.executable, "-c", script, str(library), str(idle)]
    subprocess.run(command, env=OURS, check=True, timeout=60)


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A file that stands for libclang: each test has servers of its own."""
    file = tmp_path / "libclang.so"
    file.write_text("1")
    return file


@pytest.fixture
def ask(library: Path) -> Iterator[Ask]:
    """Start a client of a server that runs the command given to it."""
    clients: list[subprocess.Popen[bytes]] = []

    def start(script: str, **options: object) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", ASK, str(library), "sh", "-c", script]
        client: subprocess.Popen[bytes] = subprocess.Popen(command, **{"env": OURS, **options})  # type: ignore[call-overload]
        clients.append(client)
        return client

    yield start
    for client in clients:
        client.kill()
        client.wait()


def test_command_has_the_clients_folder_environment_files_and_input(
    ask: Ask, library: Path, tmp_path: Path
) -> None:
    leave(library)
    seventh = os.open(tmp_path / "seventh", os.O_RDWR | os.O_CREAT)
    os.write(seventh, b"seventh\n")
    script = (
        f"pwd; echo $GIVEN; cat; cat /proc/self/fd/{seventh}; umask; {SESSION}; ls /proc/self/fd"
    )
    (tmp_path / "here").mkdir()
    environment = {**OURS, "GIVEN": "given"}
    client = ask(
        script,
        cwd=tmp_path / "here",
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pass_fds=[seventh],
    )
    output, _ = client.communicate(b"input\n", timeout=60)
    lines = output.decode().split()
    assert lines[:5] == [str(tmp_path / "here"), "given", "input", "seventh", "0022"]
    assert int(lines[5]) != os.getsid(0)  # the server's session
    assert sorted(map(int, lines[6:])) == [0, 1, 2, 3, seventh]  # 3 is that of ls itself
    assert client.returncode == 0


def test_temporary_files_are_in_the_folder_of_the_clients_environment(
    ask: Ask, library: Path, tmp_path: Path
) -> None:
    leave(library, script=LEAVE_WITH_FOLDER)
    client = ask("", env={**OURS, "TMPDIR": str(tmp_path)}, stdout=subprocess.PIPE)
    assert client.stdout is not None
    assert client.stdout.read().decode() == f"{tmp_path}\n"


def test_module_that_a_command_has_imported_is_loaded_for_the_next(library: Path) -> None:
    leave(library, script=LEAVE_TO_IMPORT)
    command = [sys.executable, "-c", ASK, str(library), "pomp_clang.progress"]

    def finds_it() -> bool:
        """Return False also where the server, which loads it, does not answer in time."""
        answer = subprocess.run(command, env=OURS, timeout=60, stdout=subprocess.PIPE)
        return answer.stdout == b"True\n"

    assert not finds_it()
    deadline = time.monotonic() + 30
    while not finds_it():  # the server loads it after the command's end
        assert time.monotonic() < deadline


@pytest.mark.parametrize(("script", "status"), [("exit 3", 3), ("kill -SEGV $$", -signal.SIGSEGV)])
def test_end_of_the_command_is_that_of_the_client(
    ask: Ask, library: Path, script: str, status: int
) -> None:
    leave(library)
    assert ask(script).wait(60) == status


def test_signal_to_the_client_reaches_the_command(ask: Ask, library: Path) -> None:
    leave(library)
    client = ask("trap 'exit 5' TERM; echo ready; sleep 60 & wait", stdout=subprocess.PIPE)
    assert client.stdout is not None
    assert client.stdout.readline() == b"ready\n"
    client.send_signal(signal.SIGTERM)
    assert client.wait(60) == 5


def test_signal_of_a_client_is_passed_on_once(ask: Ask, library: Path) -> None:
    """The command passes it on to the compiler itself."""
    leave(library)
    compiler = "trap 'echo compiler' TERM; echo ready; sleep 0.5; sleep 0.5; echo ended"
    client = ask(f'sh -c "{compiler}" & trap : TERM; wait; wait', stdout=subprocess.PIPE)
    assert client.stdout is not None
    assert client.stdout.readline() == b"ready\n"
    client.send_signal(signal.SIGTERM)
    assert client.stdout.read() == b"ended\n"


def test_command_ends_with_a_client_that_is_killed(ask: Ask, library: Path) -> None:
    leave(library)
    client = ask("echo ready; exec sleep 60", stdout=subprocess.PIPE)
    assert client.stdout is not None
    assert client.stdout.readline() == b"ready\n"
    client.kill()
    assert client.stdout.read() == b""  # no process has the pipe open any more


def test_command_of_a_server_that_is_killed_is_left_to_the_client(ask: Ask, library: Path) -> None:
    leave(library)
    client = ask("echo $PPID; exec sleep 60", stdout=subprocess.PIPE)
    assert client.stdout is not None
    os.kill(int(client.stdout.readline()), signal.SIGKILL)
    assert client.wait(60) == NOT_SERVED
    assert client.stdout.read() == b""


def test_client_with_another_limit_does_the_work_itself(ask: Ask, library: Path) -> None:
    leave(library)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)

    def lower() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft - 1, hard))

    assert ask("exit 0", preexec_fn=lower).wait(60) == NOT_SERVED
    assert ask("exit 0").wait(60) == 0


def test_server_ends_when_a_file_that_it_has_loaded_changes(ask: Ask, library: Path) -> None:
    leave(library)
    assert ask("exit 0").wait(60) == 0
    library.write_text("changed")
    assert ask("exit 0").wait(60) == NOT_SERVED
    leave(library)
    assert ask("exit 0").wait(60) == 0


def test_server_ends_when_nothing_is_asked_of_it(ask: Ask, library: Path) -> None:
    leave(library, idle=0.2)
    deadline = time.monotonic() + 60
    while ask("exit 0").wait(60) != NOT_SERVED:
        assert time.monotonic() < deadline
        time.sleep(0.5)


def by_fork(command: list[str], environment: dict[str, str]) -> int:
    result = subprocess.run(command, env=environment, capture_output=True)
    assert (result.stdout, result.stderr) == (b"", b"")
    return result.returncode


def by_posix_spawn(command: list[str], environment: dict[str, str]) -> int:
    """Run a command as make and ninja do: the C library's own signals are ignored in it."""
    _, status = os.waitpid(os.posix_spawnp(command[0], command, environment), 0)
    return os.waitstatus_to_exitcode(status)


@pytest.mark.parametrize("run", [by_fork, by_posix_spawn])
def test_served_compile_makes_the_same_object(
    tmp_path: Path, run: Callable[[list[str], dict[str, str]], int]
) -> None:
    compiler = shutil.which("clang-19") or pytest.skip("clang-19 is not here")
    wrapper = tmp_path / "clang"
    wrapper.write_text(f'#!/bin/sh\n{SESSION} >> "{tmp_path}/sessions"\nexec {compiler} "$@"\n')
    wrapper.chmod(0o755)
    source, object_file = tmp_path / "a.c", tmp_path / "a.o"
    source.write_text("void f(void) {\n#pragma omp parallel\n  {}\n}\n")
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}

    def compiled(*options: str) -> bytes:
        """Return the object, and forget the sessions of earlier compiles."""
        (tmp_path / "sessions").unlink(missing_ok=True)
        command = [sys.executable, "-m", "pomp_clang", *options, "--", str(wrapper)]
        command += ["-fopenmp", "-O1", "-c", str(source), "-o", str(object_file)]
        assert run(command, environment) == 0
        return object_file.read_bytes()

    alone = compiled("--pomp-server=off")
    compiled()  # leaves the server
    assert compiled() == alone
    sessions = set((tmp_path / "sessions").read_text().split())
    assert sessions
    assert str(os.getsid(0)) not in sessions
