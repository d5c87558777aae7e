"""A rewritten copy that gcc, which has no overlay, compiles under the original's name.

In gcc's dependency files, the originals' names take the place of the copies'.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise

from pomp_clang.driver.command.compiler_command import prefix_maps
from pomp_clang.driver.process.run import DEPENDENCY_VARIABLES
from pomp_clang.frontend.source import mapped, text_of
from pomp_clang.record import record

RULE_COLUMNS = 72  # where gcc breaks a rule's lines

_RULE = re.compile(r"(?:\\\n|[^\n])*\n?")
_SPACE = re.compile(r"(?<!\\)(?:[ \t]|\\\n)+")


def munged(path: str) -> str:
    """Return a name as gcc writes it in a rule."""
    while path.startswith("./"):
        path = path[2:].lstrip("/")
    out = []
    for at, char in enumerate(path):
        if char in " \t":
            back = len(path[:at]) - len(path[:at].rstrip("\\"))
            out.append("\\" * back + "\\")
        elif char == "$":
            out.append("$")
        elif char == "#":
            out.append("\\")
        out.append(char)
    return "".join(out)


def restored_rules(text: str, names: dict[str, str]) -> str:
    """Return `text` with the copies' names replaced and the rules that have them broken as gcc does.

    `names` maps copies to originals. A copy that ends in a slash stands for all names that begin
    with it. A copy without an original is left out.
    """
    quoted = {munged(copy): munged(original) for copy, original in names.items()}
    if not any(copy in text for copy in quoted):
        return text
    return "".join(_restored_rule(match[0], quoted) for match in _RULE.finditer(text))


def _restored_rule(rule: str, quoted: dict[str, str]) -> str:
    words = _split(rule.removesuffix("\n"))
    is_broken = len(words) > 1 and any(word.endswith(":") for word in words)
    if not is_broken or not any(copy in rule for copy in quoted):
        return _replaced(rule, quoted)
    folders = [copy for copy in quoted if copy.endswith("/")]
    words = [_restored(word, quoted, folders) for word in words]
    return _wrap([word for word in words if word]) + "\n" * rule.endswith("\n")


def _restored(word: str, quoted: dict[str, str], folders: list[str]) -> str:
    if word in quoted:
        return quoted[word]
    for folder in folders:
        if word.startswith(folder):
            return _named(word, folder, quoted[folder])
    return word


def _replaced(text: str, quoted: dict[str, str]) -> str:
    for copy, original in quoted.items():
        if copy.endswith("/"):
            text = _named(text, copy, original)
        else:
            old, new = (copy, original) if original else (f"{copy}:\n", "")
            text = text.replace(old, new)
    return text


def _named(text: str, folder: str, original: str) -> str:
    """Replace a copy's folder; before a relative name gcc leaves out "./", as `munged` does."""
    prefix = "" if original else r"(?:\./+)*"
    return re.sub(re.escape(folder) + prefix, lambda _: original, text)


def _split(rule: str) -> list[str]:
    return [word for word in _SPACE.split(rule.replace(" \\\n", " ")) if word]


def _wrap(words: list[str]) -> str:
    out: list[str] = []
    column = 0
    targets = True
    for word in words:
        # The colon is written after a target without being measured.
        ends_targets = targets and word.endswith(":")
        size = len(word.encode("utf-8", "surrogateescape")) - (1 if ends_targets else 0)
        if column:
            if column + size > RULE_COLUMNS:
                out.append(" \\\n")
                column = 0
            out.append(" ")
            column += 1
        column += size + (1 if ends_targets else 0)
        out.append(word)
        targets = targets and not ends_targets
    return "".join(out)


# The working directory on the quote path, in place of the copy's folder; no user spells it so.
HERE = "./././."
BOM = b"\xef\xbb\xbf"
DEPTH = 8

# Options with which gcc writes the source's name or a checksum where no prefix map applies: the
# copy then has a #line directive. Other copies have none, as gcc does without some warnings in a
# file that has one (-Wmisleading-indentation).
_BEYOND_MAPS = (
    "-fsanitize", "--coverage", "-coverage", "-fprofile-", "-ftest-coverage",
    "-fbranch-probabilities", "-fstack-usage", "-fcallgraph-info", "-fdump-", "-save-temps",
    "--save-temps",
)  # fmt: skip
# The options for these warnings.
_GIVEN_UP = frozenset(("-Wall", "-Wmisleading-indentation", "-Werror=misleading-indentation"))
STDOUT = "-"
"""The name of standard output, as a dependency file."""

MAPS = ("debug", "macro")
"""The kinds of names that gcc maps."""


@record
class Copy:
    """A copy; `options` make gcc name the original wherever it would name the copy.

    With `folders`, which stand before all options of the user's, gcc finds the headers beside it.
    A header in a folder of -isystem `is_system`. `warned` if the preprocessor warned of the original,
    and does not read the copy.
    """

    original: str
    path: str
    options: tuple[str, ...]
    folders: tuple[str, ...] = ()
    is_system: bool = False
    warned: bool = False


def write(folder: str, number: int, path: str, text: bytes, user_args: Sequence[str]) -> Copy:
    """Write the copy deep inside `folder`, so that no ../header.h is beside it by accident.

    `user_args` are the user's own arguments.  Raises OSError, and ValueError for a name
    that no #line directive can spell.
    """
    if "\n" in path or "\r" in path:
        raise ValueError("its name has a line break")
    place = os.path.join(folder, *(f"{number}.{level}" for level in range(DEPTH)))
    empty = os.path.join(folder, "empty")
    os.makedirs(place)
    os.makedirs(empty, exist_ok=True)
    copy = os.path.join(place, os.path.basename(path))
    with open(copy, "wb") as file:
        file.write(line_directive(path, user_args) + text.removeprefix(BOM))
    like(copy, path)
    # With -I-, gcc does not search the source's folder.
    folders = () if "-I-" in user_args else tuple(_folders(path, text, empty))
    return Copy(path, copy, tuple(_options(path, copy, HERE in folders, user_args)), folders)


def like(copy: str, original: str) -> None:
    """Give a copy the time of its original, which __TIMESTAMP__ shows."""
    with suppress(OSError):
        about = os.stat(original)
        os.utime(copy, ns=(about.st_atime_ns, about.st_mtime_ns))


def needs_line(user_args: Sequence[str]) -> bool:
    """Return True if only a #line directive makes gcc name the original everywhere."""
    return any(word.startswith(_BEYOND_MAPS) for word in user_args)


def loses_warnings(user_args: Sequence[str]) -> bool:
    """Return True if gcc omits a warning for a copy that it gives for the original."""
    return needs_line(user_args) and not _GIVEN_UP.isdisjoint(user_args)


def line_directive(path: str, user_args: Sequence[str]) -> bytes:
    """Return the #line directive that a copy begins with, or b""."""
    return b'#line 1 "%s"\n' % spelt(path) if needs_line(user_args) else b""


def spelt(path: str) -> bytes:
    """Return a name as a #line directive spells it."""
    return os.fsencode(path).replace(b"\\", b"\\\\").replace(b'"', b'\\"')


def _folders(path: str, text: bytes, empty: str) -> list[str]:
    from pomp_clang.frontend.quoted_includes import searches_beside  # not for clang's compiles

    if not searches_beside(text_of(text), path):
        return []
    # The empty folder keeps gcc from dropping this one for an equal -I after it.
    return ["-iquote", os.path.dirname(path) or HERE, "-iquote", empty]


def _options(path: str, copy: str, is_here: bool, user_args: Sequence[str]) -> list[str]:
    return [
        *([f"-ffile-prefix-map={HERE}/="] if is_here else []),
        *(f"-f{k}-prefix-map={copy}={mapped(path, prefix_maps(user_args, k))}" for k in MAPS),
    ]


def clashes(text: bytes, folders: Sequence[str]) -> str:
    """Return a header that a source includes in quotes and that is in one of `folders`, or "".

    gcc searches these folders before the source's own. An include of a macro may name any header.
    """
    from pomp_clang.frontend.quoted_includes import quoted_names

    for name, is_macro in quoted_names(text_of(text)) if folders else ():
        if is_macro or any(os.path.exists(os.path.join(f, name)) for f in folders):
            return name
    return ""


def restore_output(data: bytes, copies: Sequence[Copy]) -> bytes:
    """Return diagnostics with the originals' names."""
    for copy in copies:
        data = data.replace(os.fsencode(copy.path), os.fsencode(copy.original))
    return data.replace(f"{HERE}/".encode(), b"")


def dependency_files(command: Sequence[str]) -> dict[str, bool]:
    """Return the files that the command writes dependencies to, from gcc's -###.

    True if it leaves out system headers.  Raises DriverError when it cannot be run.
    """
    from pomp_clang.driver.compiler.probe import commands
    from pomp_clang.driver.process.run import query

    output = query([*command, "-###"]).stderr.decode("utf-8", "surrogateescape")
    files: dict[str, bool] = {}
    for words in commands(output):
        omits = "-MMD" in words
        for option, value in pairwise(words):
            if option in ("-MD", "-MMD", "-MF"):
                files[value] = omits
    for name in _variables():
        files[os.environ[name].split(" ")[0]] = name == "DEPENDENCIES_OUTPUT"
    return files


def writes_dependencies() -> bool:
    """Return True if a variable lets gcc write dependencies."""
    return bool(_variables())


def _variables() -> list[str]:
    return [name for name in DEPENDENCY_VARIABLES if os.environ.get(name)]


def restore_dependencies(files: Mapping[str, bool], copies: Sequence[Copy]) -> None:
    """Put the originals' names into `dependency_files`.  Raises OSError."""
    for path, omits_system in files.items():
        if not os.path.isfile(path):
            continue
        with open(path, "rb") as file:
            text = file.read()
        restored = restored_dependencies(text, copies, omits_system)
        if restored != text:
            with open(path, "wb") as file:
                file.write(restored)


def restored_dependencies(text: bytes, copies: Sequence[Copy], omits_system: bool) -> bytes:
    """Return rules with the originals' names."""
    names = {copy.path: "" if omits_system and copy.is_system else copy.original for copy in copies}
    rules = restored_rules(text.decode("utf-8", "surrogateescape"), names)
    return rules.encode("utf-8", "surrogateescape")
