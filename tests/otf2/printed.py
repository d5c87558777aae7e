"""An OTF2 archive as OTF2's own tool reads it."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

_REGION = re.compile(r'Region: "(.*)" <\d+>$')
_TEAM = re.compile(r'Thread Team: "?(?:Thread team )?(\w+)')
_TASK = re.compile(r"Creating Thread: (\w+).*Generation Number: (\d+)$")
_LOCK = re.compile(r"Lock: (\d+), Acquisition Order: (\d+)$")
_THREADS = re.compile(r"# Requested Threads: (\w+)$")


@dataclass(frozen=True)
class Line:
    event: str
    location: int
    time: int
    text: str


def otf2_print(anchor: Path, *options: str) -> str:
    """Return the output of otf2-print, which must not complain."""
    if shutil.which("otf2-print") is None:
        pytest.skip("otf2-print is not here (Debian: apt-get install otf2-tools)")
    result = subprocess.run(["otf2-print", *options, anchor], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, ""), result.stderr[:1000]
    return result.stdout


def events(anchor: Path) -> list[Line]:
    return [
        Line(*_line(line))
        for line in otf2_print(anchor).splitlines()
        if re.match(r"[A-Z_]+ +\d+ +\d+  ", line)
    ]


def _line(line: str) -> tuple[str, int, int, str]:
    event, location, time, parts = line.split(maxsplit=3)
    result = [pattern.search(parts) for pattern in (_REGION, _TEAM, _TASK, _LOCK, _THREADS)]
    return event, int(location), int(time), " ".join(" ".join(m.groups()) for m in result if m)
