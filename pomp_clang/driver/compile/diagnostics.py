"""A compiler's diagnostics: those of an instrumented text, and those of the user's own command.

A compiler's messages on a rewritten text quote that text and its columns, and instrumentation may
add or hide a warning. So the diagnostics shown are those of the user's text.
"""

from __future__ import annotations

import os
import re

from pomp_clang.driver.command.classify import insert_options
from pomp_clang.driver.command.options import MODE, OUTPUT, scan
from pomp_clang.driver.compile.instrumented_command import CompileResult, CompileSetup, shortened
from pomp_clang.driver.place import gcc_copy
from pomp_clang.driver.process.run import DEPENDENCY_VARIABLES, Outcome, run
from pomp_clang.driver.runtime.link import (
    added_options,
    names_unpreprocessed,
    native_command,
)
from pomp_clang.record import record

_COLORS = re.compile(r"\x1b\[[0-9;]*[mK]")
_ERROR = re.compile(r"^(.+?):(\d+):(?:\d+:)? (?:fatal )?error: (.*)", re.M)
# gfortran writes the place first, then the source lines, then the text.
_GFORTRAN_PLACE = r"^(\S.*?):(\d+):\d+(?:-\d+)?:"
_GFORTRAN_ERROR = re.compile(
    rf"{_GFORTRAN_PLACE}(?:\n(?:\n|[ .].*\n)*| )(?:Fatal )?Error: (.*)", re.M
)
_SAYS_WHY = re.compile(r"error:|^(?:Fatal )?Error:|:\d+: (?:Fatal )?Error:|undefined reference")
_ODD = re.compile(rb"\0|#.*[\f\v]|\\[ \t\f\v]*\r?\n\Z")
"""Characters of which compilers warn in directives, for which the new directive has blanks, and at the
end of a source, which has descriptors behind it."""

_MACRO_OPTIONS = "<command line>"
"""clang's name for a text with a line for each macro of the options: ours are among them."""

_ABOUT_OPTIONS = re.compile(r"([\w.+-]+: )?(warning|note): .*|\d+ warnings? generated\.")


def users_diagnostics(setup: CompileSetup, result: CompileResult) -> bytes | None:
    """Return the diagnostics that the user's own command would print, from those of the instrumented
    texts; None if only that command can tell."""
    stderr = result.outcome.stderr
    if any(item.instrumented.is_foreign for item in result.items):
        return stderr  # the command cannot print any
    hides = any(
        item.instrumented.hiding or item.unit.warned or _ODD.search(item.source.text)
        for item in result.items
    )
    if hides or any(copy.warned for copy in (result.command.copies if result.command else ())):
        return None
    if _are_about_options(result.outcome):
        return stderr if _sees_all(setup, result) else None
    if setup.toolchain.family != "clang" or not are_of_parser(result.outcome):
        return None
    from pomp_clang.driver.compile.equal_lines import of_users_text  # seldom needed

    text = plain_text(result.outcome)
    if setup.folder in text or _MACRO_OPTIONS in text:
        return None  # a new text is named, as by -fdiagnostics-absolute-paths
    own = of_users_text(text, result.items, setup.context.command.directory)
    if own == text:
        return stderr
    has_colors = text.encode("utf-8", "replace") != stderr
    return None if own is None or has_colors else own.encode()


def _sees_all(setup: CompileSetup, result: CompileResult) -> bool:
    """Return True if a compiler that has nothing to say of the instrumented texts has nothing to say
    of the user's."""
    if setup.toolchain.family == "flang":
        # The compile of a copy has options that flang then warns of.
        return not names_unpreprocessed(setup.context.command.options)
    if setup.toolchain.family != "gcc":
        return True
    args = setup.context.command.args
    if any(site.kind == "function" for item in result.items for site in item.instrumented.sites):
        # Many of gcc's warnings depend on what its optimizer makes of whole functions.
        stages = ("-Wl,", "-Wa,", "-Wp,")
        return not any(arg.startswith("-W") and arg[:4] not in stages for arg in args)
    return not gcc_copy.loses_warnings(args)


_WARNING = re.compile(r"(?:^|: )(?i:warning|error|remark): ")
_GROUP = re.compile(r"\[(?:-Werror,)?-W([\w+#-]+)")
_OF_CODE = (
    "pass", "frame-larger-than", "inline-asm", "backend-plugin", "source-mgr", "linker-warnings",
    "attribute-warning", "misexpect", "atomic-alignment", "ignored-attributes", "psabi", "profile-",
    "openmp", "option-ignored", "stack-", "padded",
)  # fmt: skip
"""Groups of clang's warnings that come, or may come, from the generation of code."""


def are_of_parser(outcome: Outcome) -> bool:
    """Return True if clang's parser alone gives all these diagnostics: each has a group, and no group
    is one of code generation."""
    lines = plain_text(outcome).splitlines()
    groups = [_GROUP.search(line) for line in lines if _WARNING.search(line)]
    if not groups:
        return not lines  # a format for programs
    return all(group and not group[1].startswith(_OF_CODE) for group in groups)


def _are_about_options(outcome: Outcome) -> bool:
    """Return True if all diagnostics are about the command's options, not about a text."""
    return all(_ABOUT_OPTIONS.fullmatch(line) for line in plain_text(outcome).splitlines())


def plain_text(outcome: Outcome) -> str:
    """Return a compiler's diagnostics without colors."""
    return _COLORS.sub("", outcome.stderr.decode("utf-8", "replace"))


def errors(outcome: Outcome) -> list[tuple[str, int, str]]:
    """Return file, line and text of each error that has a place."""
    text = plain_text(outcome)
    matches = [*_ERROR.finditer(text), *_GFORTRAN_ERROR.finditer(text)]
    return [(m[1], int(m[2]), m[3]) for m in sorted(matches, key=lambda match: match.start())]


def first_error(outcome: Outcome) -> str:
    """Return the line that says why a compiler failed."""
    lines = [line.strip() for line in plain_text(outcome).splitlines() if line.strip()]
    reasons = [line for line in lines if _SAYS_WHY.search(line)]
    return (reasons or lines or [f"exit status {outcome.status}"])[0]


# Options that name a file that only the instrumented command may write.
_WRITING = frozenset(("-MF", "-MJ"))

# With these, what the command prints, reads or writes depends on where its output goes.
_IN_PLACE = (
    "-v", "--verbose", "-save-temps", "--save-temps", "--coverage", "-coverage",
    "-ftest-coverage", "-fprofile-", "-fbranch-probabilities", "-fauto-profile", "-dumpdir",
    "-dumpbase", "--dumpdir", "--dumpbase", "-fdump-", "-gsplit-dwarf", "-ftime-trace=",
    "-foptimization-record-file", "-fcallgraph-info", "-fstack-usage", "-Wl,-Map", "-Map",
)  # fmt: skip


@record
class NativeResult:
    """How the user's own command ended; `in_place` if its outputs are where they belong."""

    outcome: Outcome
    in_place: bool


def show_diagnostics(
    setup: CompileSetup, in_place: bool = False, parse_only: bool = False
) -> NativeResult:
    """Run the user's command with its diagnostics shown.

    Its output goes to our folder, unless `in_place` or where that would change the diagnostics.
    With `parse_only` clang stops before it generates code: if the instrumented text compiles
    with messages of the parser alone, only such messages can be missing.
    Raises DriverError when the compiler cannot be run.
    """
    context = setup.context
    environment = {**os.environ, "TMPDIR": setup.folder}
    command = native_command(context.line, context.settings)
    if not in_place:
        can_stop = setup.toolchain.family == "clang" and context.command.mode in ("-c", "-S")
        # clang calls -ftime-trace unused if it stops after the parse.
        can_stop &= not any(word.startswith("-ftime-trace") for word in context.command.args)
        elsewhere = _elsewhere(setup, parse_only and can_stop)
        in_place = elsewhere is None
        if elsewhere is not None:
            command = elsewhere
            environment |= _dependencies_in(setup.folder)
    outcome = run(command, context.stdin, setup.folder, environment, shows_diagnostics=True)
    return NativeResult(outcome, in_place)


def _dependencies_in(folder: str) -> dict[str, str]:
    """Return the variables that let gcc write dependencies, with files in a folder.

    Without them, gcc takes a missing system header for an error, not for a warning.
    """
    variables = {name: os.environ.get(name, "") for name in DEPENDENCY_VARIABLES}
    return {
        name: os.path.join(folder, f"{name} {value.partition(' ')[2]}").rstrip()
        for name, value in variables.items()
        if value
    }


def compile_natively(setup: CompileSetup) -> Outcome:
    """Run the user's command with its output hidden."""
    context = setup.context
    command = native_command(context.line, context.settings)
    environment = {**os.environ, "TMPDIR": setup.folder}
    return run(command, context.stdin, setup.folder, environment)


def _elsewhere(setup: CompileSetup, parse_only: bool) -> list[str] | None:
    """Return the command with its output in our folder.

    Return None if another output changes more than a name.
    """
    context, command = setup.context, setup.context.command
    inputs = command.inputs
    is_one_output = len(inputs) == 1 or command.output
    if not is_one_output and (command.mode or any(i.language.endswith("-header") for i in inputs)):
        return None
    if any(word.startswith(_IN_PLACE) for word in command.args):
        return None
    if setup.toolchain.family == "flang" and any(w.startswith("--output") for w in command.args):
        return None  # flang has no such option, and takes the next word for an input
    folder = os.path.join(setup.folder, "own")
    os.makedirs(folder, exist_ok=True)
    args: list[str] = []
    modes = 0
    for index, width, name, value, role in command.options:
        modes += role == MODE
        if parse_only and role == MODE and modes > 1:
            continue  # clang calls -S unused between -c and -fsyntax-only
        if name in ("-Wp,", "-Xpreprocessor") and "-M" in value:
            return None
        if name in _WRITING:
            args += [name, os.path.join(folder, f"file{name}")]
        elif role != OUTPUT:
            args += command.args[index : index + width]
    options, libraries = added_options(context.line, context.settings)
    options += ["-fsyntax-only"] if parse_only else []
    options += ["-o", os.path.join(folder, os.path.basename(command.output) or "own")]
    words = insert_options(scan(args), args, options, libraries)
    return [*command.words, *shortened(command, words, folder)]
