"""`--pomp-commands=FILE`: the commands of a build, as a `compile_commands.json` of clang's tools."""

from __future__ import annotations

import fcntl
import json
import os
import sys
from typing import Any

from pomp_clang.driver.command.classify import CommandLine
from pomp_clang.driver.command.options import INPUT, LANGUAGE, OUTPUT, language_of

NAME = "compile_commands.json"


def add_commands(line: CommandLine, path: str) -> None:
    """Add an entry for each source of a command; it replaces the one for the same source and output.

    `path` is the file, or its folder. Commands of a parallel build wait for each other. If the file
    cannot be written, a line on stderr says so, and the build goes on.
    """
    file = os.path.join(path, NAME) if os.path.isdir(path) else path
    entries = _entries(line)
    if not entries:
        return
    try:
        _add(file, entries)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        print(
            f"pomp-clang: --pomp-commands: {file}: {reason}; the command is not added",
            file=sys.stderr,
        )


def _entries(line: CommandLine) -> list[dict[str, Any]]:
    """Return an entry for each C or C++ source; its arguments are without the other sources."""
    sources: dict[int, str] = {}
    language, output = "", ""
    for index, _, name, value, role in line.options:
        if role == LANGUAGE:
            language = "" if value == "none" else value
        elif role == OUTPUT and name == "-o":
            output = value
        elif role == INPUT and not name and value != "-":
            kind = language or language_of(value, False)
            if kind and not kind.startswith("assembler"):
                sources[index] = value
    entries = []
    for index, source in sources.items():
        others = sources.keys() - {index}
        arguments = [arg for place, arg in enumerate(line.args) if place not in others]
        entry = {
            "directory": os.getcwd(),
            "file": source,
            "arguments": [line.words[-1], *arguments],
        }
        entries.append({**entry, "output": output} if output else entry)
    return entries


def _add(file: str, entries: list[dict[str, Any]]) -> None:
    """Add entries under a lock on the folder. Raises OSError, and ValueError for another content."""
    folder = os.open(os.path.dirname(file) or ".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        changed = {_key(entry) for entry in entries}
        kept = [entry for entry in _known(file) if _key(entry) not in changed]
        temporary = f"{file}.{os.getpid()}"
        with open(temporary, "w", encoding="utf-8", errors="surrogateescape") as opened:
            rows = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in [*kept, *entries])
            opened.write(f"[\n{rows}\n]\n")
        os.replace(temporary, file)
    finally:
        os.close(folder)


def _known(file: str) -> list[Any]:
    try:
        with open(file, encoding="utf-8", errors="surrogateescape") as opened:
            text = opened.read()
    except FileNotFoundError:
        return []
    try:
        listed = json.loads(text) if text.strip() else []
    except ValueError:
        listed = None
    if not isinstance(listed, list):
        raise ValueError("is no list of compile commands: remove it, or name another file")
    return listed


def _key(entry: Any) -> tuple[object, ...]:
    """Return what two entries for the same compile have in common."""
    if not isinstance(entry, dict):
        return (id(entry),)
    return tuple(str(entry.get(name, "")) for name in ("directory", "file", "output"))
