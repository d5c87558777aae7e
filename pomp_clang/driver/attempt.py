"""The user's command with replaced texts: how it is put together, and run."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from types import MappingProxyType

from pomp_clang.driver import gcc_copy, line_marks, overlay, process
from pomp_clang.driver.command import Command
from pomp_clang.driver.gcc_copy import Copy
from pomp_clang.driver.glance import Glance, place
from pomp_clang.driver.inline import Bitcode
from pomp_clang.driver.link import added
from pomp_clang.driver.overlay import Overlay
from pomp_clang.driver.process import Outcome
from pomp_clang.driver.response import join
from pomp_clang.driver.settings import Settings
from pomp_clang.driver.sources import Source
from pomp_clang.driver.toolchain import Toolchain
from pomp_clang.frontend.octets import bytes_of, text_of
from pomp_clang.frontend.unit import Header, Include, Instrumented, Refused, Unit
from pomp_clang.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.driver.head_start import HeadStart

# A longer command goes into a response file of its own.
LONGEST = 100_000

_COLOURS = re.compile(r"\x1b\[[0-9;]*[mK]")
_OF_OPTIONS = re.compile(r"([\w.+-]+: )?(warning|note): .*|\d+ warnings? generated\.")


@record
class Replaced:
    """A source and what is compiled in its place."""

    source: Source
    unit: Unit
    made: Instrumented
    refused: Refused = MappingProxyType({})
    """what was left out of it"""

    @property
    def text(self) -> bytes:
        """The source's new text, or its own if only headers have a new one."""
        return bytes_of(self.unit.text if self.made.text is None else self.made.text)

    @property
    def changed(self) -> bool:
        return self.made.text is not None

    @property
    def headers(self) -> tuple[Header, ...]:
        return self.made.headers

    @property
    def includes(self) -> tuple[Include, ...]:
        return self.made.includes


@record
class Build:
    """What all attempts at one command have in common."""

    view: Glance
    command: Command
    settings: Settings
    toolchain: Toolchain
    folder: str
    stdin: bytes | None
    rewrite: Callable[[Unit, Refused], Instrumented]
    inlined: Bitcode
    marked: bool = False
    started: HeadStart | None = None


@record
class Attempt:
    """A command line with some units replaced, and what stands in their place."""

    command: tuple[str, ...]
    stdin: bytes | None
    overlay: Overlay | None
    copies: tuple[Copy, ...]


@record
class Trial:
    """What was tried, and how it ended; without a command nothing was left to try."""

    items: tuple[Replaced, ...]
    command: Attempt | None
    outcome: Outcome

    @property
    def passed(self) -> bool:
        return self.command is not None and self.outcome.status == 0


def prepare(build: Build, items: Sequence[Replaced], quiet: bool = False) -> Attempt:
    """Write the replaced texts and the command that compiles them, `quiet` without warnings.

    Raises OSError, UnicodeError or ValueError when a text cannot be put in place.
    """
    args = list(build.command.args)
    early, late = added(build.view, build.settings)
    stdin = build.stdin
    texts: dict[str, bytes] = {}
    names: dict[str, tuple[str, ...]] = {}
    copies: list[Copy] = []
    for number, item in enumerate(items):
        one = item.source.input
        if build.toolchain.family == "clang":
            for header in item.headers:
                if header.changed:
                    path = os.path.realpath(header.path)
                    texts.setdefault(path, _for_clang(build, bytes_of(header.text)))
                    names[path] = (*names.get(path, ()), *header.names)
        if one.path == "-":
            stdin = _for_clang(build, item.text) if build.toolchain.family == "clang" else item.text
        elif build.toolchain.family == "clang":
            texts |= {one.path: _for_clang(build, item.text)} if item.changed else {}
        else:
            made = _copies(build, number, item, args)
            args[one.index] = made[0].path
            copies += made
    over = None
    if texts:
        over = overlay.write(build.folder, texts, build.command.directory, names)
        early += ["-ivfsoverlay", over.map, *(line_marks.QUIET if build.marked else ())]
    early += build.inlined.arguments
    for copy in copies:
        early += copy.options
    if quiet:
        early.append("-w")
    words = place(list(build.command.options), args, early, late)
    words = shortened(build, words, build.folder)
    return Attempt((*build.command.words, *words), stdin, over, tuple(copies))


def _for_clang(build: Build, text: bytes) -> bytes:
    """The text, its marks made lines."""
    if not build.marked:
        return text
    return line_marks.zero(text)


def _copies(build: Build, number: int, item: Replaced, args: list[str]) -> list[Copy]:
    """The source's copy, then those of its headers, which take their originals' places in
    `args` where the command line includes them."""
    folder = os.path.join(build.folder, f"unit{_next(build.folder)}")
    os.mkdir(folder, 0o700)
    path, text, given = item.source.input.path, item.text, build.command.args
    if not item.headers:
        return [gcc_copy.write(folder, number, path, text, given)]
    from pomp_clang.driver.gcc_headers import Headers

    headers = Headers(folder, item.headers, given)
    text = bytes_of(headers.redirected(text_of(text), item.includes))
    made = gcc_copy.write(folder, number, path, text, given)
    copies = [made, *headers.write()]
    places = headers.forced()
    for index, width, name, value, _ in build.command.options:
        if name == "-include" and width == 2:
            args[index + 1] = places.get(os.path.realpath(value), value)
    return copies


def _next(folder: str) -> int:
    return sum(name.startswith("unit") for name in os.listdir(folder))


def shortened(build: Build, words: list[str], folder: str) -> list[str]:
    """Through a response file where the user took one, or the line is too long."""
    if not build.command.from_file and sum(map(len, words)) < LONGEST:
        return words
    name = os.path.join(folder, "arguments")
    with open(name, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(join(words))
    return [f"@{name}"]


def environment() -> dict[str, str]:
    """ccache knows nothing of a replaced text: it would answer with the original's object."""
    return {**os.environ, "CCACHE_DISABLE": "1"}


def run(build: Build, attempt: Attempt) -> Outcome:
    """Run it with its output kept.  Raises DriverError when it cannot be run."""
    if build.settings.keep:
        import shlex

        with open(os.path.join(build.folder, "command"), "w", errors="surrogateescape") as file:
            file.write(f"cd {shlex.quote(os.getcwd())}\n{shlex.join(attempt.command)}\n")
    watched = build.command.dependencies and attempt.copies
    files = gcc_copy.dependency_files(attempt.command) if watched else []
    outcome = process.run(attempt.command, attempt.stdin, build.folder, environment())
    if not attempt.copies:
        return outcome
    gcc_copy.restore_dependencies(files, attempt.copies)
    restored = gcc_copy.restore_output(outcome.stderr, attempt.copies)
    return Outcome(outcome.status, outcome.stdout, restored)


def says_all(build: Build, items: Sequence[Replaced], outcome: Outcome) -> bool:
    """Return whether the user's own command would say what this one said, and no more."""
    if not _names_no_place(outcome) or any(item.made.hiding for item in items):
        return False
    if build.toolchain.family != "gcc":
        return True
    if any(site.kind == "function" for item in items for site in item.made.sites):
        # Much of what gcc warns of depends on what its optimiser makes of whole functions.
        stages = ("-Wl,", "-Wa,", "-Wp,")
        return not any(a.startswith("-W") and a[:4] not in stages for a in build.command.args)
    return not gcc_copy.loses_warnings(build.command.args)


def _names_no_place(outcome: Outcome) -> bool:
    """Return whether all diagnostics are about the command's options, not about a text."""
    return all(_OF_OPTIONS.fullmatch(line) for line in plain_text(outcome).splitlines())


def plain_text(outcome: Outcome) -> str:
    """What a compiler said, without colours."""
    return _COLOURS.sub("", outcome.stderr.decode("utf-8", "replace"))


def first_error(outcome: Outcome) -> str:
    """The line that says why a compiler refused."""
    said = [line.strip() for line in plain_text(outcome).splitlines() if line.strip()]
    errors = [line for line in said if "error:" in line or "undefined reference" in line]
    return (errors or said or [f"exit status {outcome.status}"])[0]
