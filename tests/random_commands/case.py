"""A case: the files of a folder and the commands run in it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Step:
    """A command, run by the plain compiler or behind pomp-clang; a tool is the same both times.

    `interrupt` is the time in seconds after which it gets SIGTERM, 0 for never.
    """

    words: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)
    stdin: bytes = b""
    folder: str = "."
    is_tool: bool = False
    interrupt: float = 0.0

    def text(self) -> str:
        """Return the command as for a shell."""
        settings = "".join(f"{name}={shlex.quote(v)} " for name, v in self.environment.items())
        place = f"cd {self.folder} && " if self.folder != "." else ""
        reads = f"  # reads {len(self.stdin)} bytes" if self.stdin else ""
        stops = f"  # SIGTERM after {self.interrupt:.2f} s" if self.interrupt else ""
        return f"{place}{settings}{shlex.join(self.words)}{reads}{stops}"


@dataclass(frozen=True, slots=True)
class Case:
    """Files by their paths, links by theirs, and steps.

    `pomp` are options of ours. With `is_served`, pomp-clang's server may compile.
    """

    seed: int
    name: str
    files: dict[str, bytes]
    steps: tuple[Step, ...]
    links: dict[str, str] = field(default_factory=dict)
    pomp: tuple[str, ...] = ()
    is_served: bool = False

    @property
    def is_strict(self) -> bool:
        return "--pomp-strict" in self.pomp

    def text(self) -> str:
        """Return the case as text, for a report."""
        served = "served " if self.is_served else ""
        lines = [f"seed {self.seed}: {served}{self.name} {shlex.join(self.pomp)}"]
        lines += [f"  {step.text()}" for step in self.steps]
        return "\n".join(lines)
