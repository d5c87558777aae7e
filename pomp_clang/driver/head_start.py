"""gcc reads the headers that a C++ source begins with while libclang reads them.

It compiles a copy that has the source's first lines and then includes a pipe, through which
the rest of the instrumented text comes once that is written: on a second processor libclang's
time costs little.  The object is the one that the whole copy becomes; where anything is out
of the ordinary there is no head start, or it is given up and the whole copy is compiled.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress

from pomp_clang.driver import gcc_copy, scratch
from pomp_clang.driver.attempt import LONGEST, Replaced, environment
from pomp_clang.driver.command import Command
from pomp_clang.driver.errors import DriverError
from pomp_clang.driver.gcc_copy import Copy
from pomp_clang.driver.glance import Glance, place
from pomp_clang.driver.leading import leading_includes
from pomp_clang.driver.link import added
from pomp_clang.driver.prepare import Readable
from pomp_clang.driver.prescan import headers_concern_us
from pomp_clang.driver.process import Outcome, Running, finish, start
from pomp_clang.driver.settings import Settings
from pomp_clang.driver.signals import guard

# A text that came whole says so at its end: one that did not must not be compiled.
_WHOLE = b"__pomp_whole"
_ENDS = b"\n#define %s\n" % _WHOLE
# A header that is not there ends gcc at once.
_BEHIND = b"#ifndef %s\n#include <%s>\n#endif\n" % (_WHOLE, _WHOLE)

# With these gcc says or writes down which file includes which, reads a text twice, or looks
# at what a source's own file alone has.
_NOT_WITH = (
    "-v", "--verbose", "-H", "-C", "-P", "-d", "--dump", "-g3", "-ggdb3", "-gsplit-dwarf",
    "-Wunused-macros", "-Wp,", "-Xpreprocessor", "-fmodule", "-fdirectives-only",
    "-fpreprocessed", "-finput-charset", "-fcompare-debug", "-fplugin", "-fdeps", "-wrapper",
    "-specs", "--specs", "-traditional", "-M", "-aux-info", "-no-integrated-cpp",
)  # fmt: skip
_DEPENDENCIES = frozenset(("-MD", "-MMD", "-MF", "-MT", "-MQ", "-MP"))


class HeadStart:
    """A compiler that waits for the rest of a text behind `head`."""

    def __init__(self, folder: str, copy: Copy, head: bytes, command: Sequence[str]) -> None:
        self._folder = folder
        self._copy = copy
        self._head = head
        self._command = command
        self._running: Running | None = None
        reading, self._pipe = os.pipe()
        self._piped = f"/dev/fd/{reading}"
        try:
            os.set_inheritable(reading, True)
            with open(copy.path, "ab") as file:
                file.write(b"#include <%s>\n%s" % (self._piped.encode(), _BEHIND))
            guard.add(self.drop)
            self._running = start(command, folder, environment())
        except (OSError, DriverError):
            self.drop()
            raise
        finally:
            os.close(reading)

    def fits(self, items: Sequence[Replaced]) -> bool:
        """Whether that is what it was begun for."""
        return (
            len(items) == 1
            and items[0].changed
            and not items[0].headers
            and items[0].text.startswith(self._head)
        )

    def finish(self, items: Sequence[Replaced]) -> Outcome | None:
        """Hand over the whole text; how its compile ended, or None if that says nothing."""
        if self._running is None or not items:
            return None
        try:
            self._hand_over(items[0].text)
            copies = (self._copy, Copy("", self._piped, ()))
            watched = any(word.startswith("-M") for word in self._command)
            files = gcc_copy.dependency_files(self._command) if watched else []
            outcome = finish(self._running)
            self._running = None
            if outcome.status > 0 and not self._is_the_texts_own(outcome.stderr):
                return None
            gcc_copy.restore_dependencies(files, copies)
        finally:
            self.drop()
        restored = gcc_copy.restore_output(outcome.stderr, copies)
        return Outcome(outcome.status, outcome.stdout, restored)

    def _hand_over(self, text: bytes) -> None:
        """The rest through the pipe; all of it where gcc looks for the lines of warnings."""
        with open(self._copy.path, "wb") as file:
            file.write(text)
        line = self._head.count(b"\n") + 1
        name = gcc_copy.spelt(self._copy.path)
        pipe, self._pipe = self._pipe, -1
        with suppress(BrokenPipeError), open(pipe, "wb") as file:
            file.write(b'#line %d "%s"\n%s%s' % (line, name, text[len(self._head) :], _ENDS))

    def _is_the_texts_own(self, said: bytes) -> bool:
        """Whether the whole copy would fail like this."""
        ours = _WHOLE in said or self._piped.encode() in said
        return not ours and not any(word.startswith("-Werror") for word in self._command)

    def drop(self) -> None:
        """Nothing of it is left.  Without the rest gcc ends, and removes what it has made: that is
        waited for, as its output goes where another's will."""
        if self._pipe >= 0:
            os.close(self._pipe)
            self._pipe = -1
        running, self._running = self._running, None
        if running is not None:
            with suppress(ChildProcessError):
                finish(running)
        guard.take_back(self.drop)
        scratch.remove(self._folder)


def begin(
    view: Glance, command: Command, settings: Settings, readable: Readable
) -> HeadStart | None:
    """Start the compiler, if the command is one for this."""
    source = readable.source
    if settings.keep or not _fits(command, source.input.path):
        return None
    head = leading_includes(source.text)
    path = os.path.join(command.directory, source.input.path)
    if not head or headers_concern_us(command, path, head):
        return None
    folder = ""
    try:
        folder = scratch.make("pomp-clang-")
        copy = gcc_copy.write(folder, 0, source.input.path, head, command.args)
        words = _words(view, command, settings, source.input.index, copy)
        if sum(map(len, words)) < LONGEST:
            return HeadStart(folder, copy, head, words)
    except (OSError, ValueError, DriverError):
        pass  # what is wrong is said where the whole copy is compiled
    if folder:
        scratch.remove(folder)
    return None


def _fits(command: Command, path: str) -> bool:
    return (
        path != "-"
        and len(command.words) == 1
        and len(command.sources) == 1
        and command.mode in ("", "-c", "-S")
        and not command.from_file
        and not gcc_copy.needs_line(command.args)
        and not any(w.startswith(_NOT_WITH) and w not in _DEPENDENCIES for w in command.args)
    )


def _words(view: Glance, command: Command, settings: Settings, index: int, copy: Copy) -> list[str]:
    args = list(command.args)
    args[index] = copy.path
    early, late = added(view, settings)
    return [*command.words, *place(list(command.options), args, [*early, *copy.options], late)]
