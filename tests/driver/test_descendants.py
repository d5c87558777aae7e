"""Processes that are ended with all that they have started."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from pomp_clang.driver.process.descendants import descendants, end_processes

CHAIN = """
import os, signal, subprocess, sys, time

depth = int(sys.argv[1])

def end(number, frame):
    time.sleep(0.05)
    with open("log", "a") as log:
        log.write(f"{depth} ")
    os._exit(0)

signal.signal(signal.SIGTERM, end)
if depth < 3:
    subprocess.Popen([sys.executable, __file__, str(depth + 1)])
else:
    open("started", "w").close()
while True:
    time.sleep(1)
"""


def started_chain(folder: Path) -> subprocess.Popen[bytes]:
    """Start a process that starts another, which starts a third."""
    (folder / "chain.py").write_text(CHAIN)
    process = subprocess.Popen([sys.executable, "chain.py", "1"], cwd=folder)
    while not (folder / "started").exists():
        time.sleep(0.01)
    return process


def test_a_driver_ends_before_the_programs_that_it_has_started(tmp_path: Path) -> None:
    process = started_chain(tmp_path)
    started = descendants(process.pid)
    assert len(started) == 2
    end_processes([process.pid])
    assert process.wait() == 0
    assert (tmp_path / "log").read_text() == "1 2 3 "


def test_a_driver_that_waits_for_its_stopped_program_ends(tmp_path: Path) -> None:
    script = "trap 'wait; exit 7' TERM; sleep 60 & echo > started; wait"
    process = subprocess.Popen(["sh", "-c", script], cwd=tmp_path)
    while not (tmp_path / "started").exists():
        time.sleep(0.01)
    end_processes([process.pid])
    assert process.wait() == 7
