"""Signals that end a compile: the compiler's first, or the pending action."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

BEGIN = """
import os, signal, sys
from pomp_clang.driver.process.run import run
from pomp_clang.driver.process.signals import end_like, guard

def say(word):
    return lambda: (sys.stdout.write(word + " "), sys.stdout.flush())

ours = os.getpid()
"""


def execute(script: str, folder: Path, status: int) -> list[str]:
    result = subprocess.run(
        [sys.executable, "-c", BEGIN + textwrap.dedent(script)],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == status
    return result.stdout.split()


def test_signal_without_a_compiler_does_what_is_due_the_last_first(tmp_path: Path) -> None:
    script = """
        guard.add(say("first"))
        with guard.ending(say("second")):
            os.kill(ours, signal.SIGTERM)
        say("after")()
    """
    assert execute(script, tmp_path, -signal.SIGTERM) == ["second", "first"]


def test_what_was_taken_back_is_not_done(tmp_path: Path) -> None:
    script = """
        action = say("action")
        guard.add(action)
        guard.take_back(action)
        guard.take_back(action)
        os.kill(ours, signal.SIGHUP)
    """
    assert execute(script, tmp_path, -signal.SIGHUP) == []


def test_a_signal_that_comes_while_a_program_starts_ends_the_watch_of_the_time(
    tmp_path: Path,
) -> None:
    """The handler runs in the thread that holds the lock of starts."""
    script = """
        import time
        from pomp_clang.driver.process.time_budget import TimeBudget

        guard.add(say("action"))
        TimeBudget((10.0, 30.0), lambda folder: [], lambda why: [])
        began = time.monotonic()
        guard.add(lambda: say("soon" if time.monotonic() - began < 5 else "late")())
        with guard.starting:
            os.kill(ours, signal.SIGTERM)
        say("after")()
    """
    assert execute(script, tmp_path, -signal.SIGTERM) == ["soon", "action"]


def test_signal_ends_queries_and_removes_folders_of_threads(tmp_path: Path) -> None:
    script = """
        import time
        from threading import Thread
        from pomp_clang.driver.process import scratch_folder
        from pomp_clang.driver.process.run import query

        os.environ["TMPDIR"] = os.getcwd()
        folder = scratch_folder.make("ours-")
        words = ["sh", "-c", "echo $$ > started; exec sleep 60"]
        Thread(target=query, args=(words,), daemon=True).start()
        while not os.path.exists("started") or not os.path.getsize("started"):
            time.sleep(0.01)
        guard.add(lambda: None)
        os.kill(ours, signal.SIGTERM)
    """
    assert execute(script, tmp_path, -signal.SIGTERM) == []
    assert [path.name for path in tmp_path.iterdir()] == ["started"]
    process = (tmp_path / "started").read_text().strip()
    for _ in range(100):
        status = Path(f"/proc/{process}/stat")
        if not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.05)
    raise AssertionError("the query runs on")


def test_dependencies_have_the_names_of_the_sources_when_a_signal_follows_the_compiler(
    tmp_path: Path,
) -> None:
    script = """
        from pomp_clang.cli import main
        from pomp_clang.driver.place import gcc_copy

        restore = gcc_copy.restore_dependencies
        def after_a_signal(*arguments):
            gcc_copy.restore_dependencies = restore
            os.kill(ours, signal.SIGTERM)
            restore(*arguments)

        gcc_copy.restore_dependencies = after_a_signal
        main(["--pomp-server=off", "--", "gcc", "-fopenmp", "-MMD", "-c", "a.c"])
        say("after")()
    """
    (tmp_path / "a.c").write_text("void f(void) {\n#pragma omp parallel\n  ;\n}\n")
    assert execute(script, tmp_path, -signal.SIGTERM) == []
    assert (tmp_path / "a.d").read_text() == "a.o: a.c\n"


def test_the_end_leaves_no_folder_of_a_thread_that_goes_on(tmp_path: Path) -> None:
    script = """
        import time
        from threading import Thread
        from pomp_clang.frontend.c import preprocessor

        os.environ["TMPDIR"] = os.getcwd()

        def work():
            while True:
                with preprocessor.private_folder("ours-") as folder:
                    for number in range(100):
                        os.mkdir(os.path.join(folder, str(number)))

        for _ in range(3):
            Thread(target=work, daemon=True).start()
        time.sleep(0.1)
        ends = Thread(target=preprocessor.end_others)
        ends.start()
        ends.join()
        print(os.listdir(), flush=True)
        os._exit(0)
    """
    assert execute(script, tmp_path, 0) == ["[]"]


def test_a_signal_that_comes_while_a_folder_is_made_removes_it(tmp_path: Path) -> None:
    script = """
        from pomp_clang.driver.process import scratch_folder
        mkdir = os.mkdir
        def interrupted(path, mode):
            mkdir(path, mode)
            os.kill(ours, signal.SIGTERM)
        os.mkdir = interrupted
        os.environ["TMPDIR"] = os.getcwd()
        with guard.ending(say("ended")):
            scratch_folder.make("folder-")
    """
    assert execute(script, tmp_path, -signal.SIGTERM) == ["ended"]
    assert not list(tmp_path.iterdir())


def test_signal_while_a_compiler_runs_is_the_compilers_and_its_end_ours(tmp_path: Path) -> None:
    script = """
        with guard.ending(say("ended")):
            outcome = run(["sh", "-c", "trap 'exit 5' TERM; kill -TERM $PPID; while :; do sleep 0.05; done"])
        say(str(outcome.status))()
        sys.exit(end_like(outcome.status))
    """
    assert execute(script, tmp_path, 5) == ["ended", "5"]


def test_what_a_stopped_compiler_has_started_ends_with_it(tmp_path: Path) -> None:
    """gcc's driver is stopped, and its compiler would go on to write files."""
    script = """
        run(["sh", "-c", "(kill -TERM $PPID; sleep 1; echo late > written) & wait"])
        open("ended", "w")
    """
    execute(script, tmp_path, 0)
    time.sleep(1.5)
    assert [path.name for path in tmp_path.iterdir()] == ["ended"]


def test_what_a_compiler_starts_meanwhile_ends_with_it(tmp_path: Path) -> None:
    """gcc's driver may start the assembler or the linker while we look for what it has started."""
    script = """
        import time
        from pomp_clang.driver.process import descendants

        children = descendants.children
        descendants.children = lambda process: (children(process), time.sleep(0.1))[0]
        run(["sh", "-c", "kill -TERM $PPID; for n in $(seq 20); do sleep 20 >/dev/null & sleep 0.02; done"])
    """
    execute(script, tmp_path, 0)
    assert not [folder for folder in Path("/proc").glob("[1-9]*/cwd") if _is(folder, tmp_path)]


def _is(folder: Path, other: Path) -> bool:
    try:
        return folder.resolve() == other
    except OSError:
        return False  # the process has ended


def test_a_signal_of_a_terminal_is_not_passed_on_to_a_compiler_that_got_it(tmp_path: Path) -> None:
    compiler = """
        import signal
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        open("ready", "w").close()
        count, patience = 0, 30.0
        while signal.sigtimedwait({signal.SIGINT}, patience):
            count, patience = count + 1, 0.1
        open("count", "w").write(str(count))
    """
    script = f"{BEGIN}run([sys.executable, '-c', {textwrap.dedent(compiler)!r}])\n"
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(tmp_path)
        os.execv(sys.executable, [sys.executable, "-c", script])
    while not (tmp_path / "ready").exists():
        time.sleep(0.01)
    os.write(terminal, b"\x03")
    os.waitpid(process, 0)
    os.close(terminal)
    assert (tmp_path / "count").read_text() == "1"


def test_compiler_that_does_not_mind_the_signal_is_waited_for(tmp_path: Path) -> None:
    script = """
        with guard.ending(say("ended")):
            outcome = run(["sh", "-c", "trap '' TERM; kill -TERM $PPID; sleep 0.3; exit 6"])
        sys.exit(outcome.status)
    """
    assert execute(script, tmp_path, 6) == ["ended"]


def test_temporary_files_of_a_query_are_in_the_folder_for_them(tmp_path: Path) -> None:
    script = """
        from pomp_clang.driver.process.run import query

        print(query(["sh", "-c", "echo $TMPDIR"], temporary="/of/us").stdout.decode())
    """
    assert execute(script, tmp_path, 0) == ["/of/us"]


def test_handlers_are_as_before_when_nothing_is_due(tmp_path: Path) -> None:
    script = """
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        before = [signal.getsignal(number) for number in (1, 2, 3, 15)]
        with guard.ending(say("outer")), guard.ending(say("inner")):
            assert signal.getsignal(signal.SIGTERM) != signal.SIG_DFL
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
            run(["true"])
            assert signal.getsignal(signal.SIGTERM) != signal.SIG_DFL
        assert before == [signal.getsignal(number) for number in (1, 2, 3, 15)]
    """
    assert execute(script, tmp_path, 0) == ["inner", "outer"]
