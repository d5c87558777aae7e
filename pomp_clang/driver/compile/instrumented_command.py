"""The user's command with instrumented texts in place of the sources: written and run."""

from __future__ import annotations

import os
from collections.abc import Sequence, Set

from pomp_clang.driver import DriverError
from pomp_clang.driver.command.classify import insert_options
from pomp_clang.driver.command.compiler_command import BuildContext, CompilerCommand
from pomp_clang.driver.command.options import DEPENDENCY, LANGUAGE, scan
from pomp_clang.driver.command.response_files import join
from pomp_clang.driver.compile.rewrite_units import InstrumentedSource, Rewrite
from pomp_clang.driver.compiler.identify import Toolchain
from pomp_clang.driver.place import gcc_copy, overlay
from pomp_clang.driver.place.gcc_copy import Copy
from pomp_clang.driver.place.overlay import QUIET, Overlay, with_line_directives
from pomp_clang.driver.process.programs import distributor
from pomp_clang.driver.process.run import DEPENDENCY_VARIABLES, Outcome, run
from pomp_clang.driver.process.signals import guard
from pomp_clang.driver.runtime.event_bitcode import EventBitcode
from pomp_clang.driver.runtime.link import added_options, compile_arguments
from pomp_clang.frontend.source import bytes_of, text_of
from pomp_clang.record import record, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.driver.compile.companion import Companion
    from pomp_clang.driver.place.header_copies import HeaderCopies


_STDOUT = ("-", "/dev/stdout")
"""Names of an output that the compiler prints."""
# Characters of a command line; a longer one goes into a response file.
LONGEST = 100_000


@record
class CompileSetup:
    """The data that all compiles of one command's instrumented texts share.

    `folder` is private and holds the texts. `marks_lines` is true if the texts have line marks,
    `by_clang` if a clang may compile the companions of Fortran units.
    """

    context: BuildContext
    toolchain: Toolchain
    folder: str
    rewrite: Rewrite
    bitcode: EventBitcode
    marks_lines: bool
    by_clang: bool = True


@record
class InstrumentedCommand:
    """A command line that compiles instrumented texts, and where these are."""

    words: tuple[str, ...]
    stdin: bytes | None
    overlay: Overlay | None
    copies: tuple[Copy, ...]
    companions: tuple[Companion, ...] = ()


@record
class CompileResult:
    """How a compile of `items` ended; without a command there was nothing to compile."""

    items: tuple[InstrumentedSource, ...]
    command: InstrumentedCommand | None
    outcome: Outcome

    @property
    def passed(self) -> bool:
        return self.command is not None and self.outcome.status == 0


def write_command(
    setup: CompileSetup, items: Sequence[InstrumentedSource], quiet: bool = False
) -> InstrumentedCommand:
    """Write the texts and return the command that compiles them, `quiet` without warnings.

    Raises OSError, UnicodeError or ValueError when a text cannot be put in place.
    """
    context, command = setup.context, setup.context.command
    put_in_place = _in_overlay if setup.toolchain.family == "clang" else _in_copies
    placed = put_in_place(setup, items)
    options, libraries = added_options(context.line, context.settings)
    options += placed.options + setup.bitcode.arguments
    options += dict.fromkeys(f"-D{macro}" for item in items for macro in item.instrumented.macros)
    if quiet:
        options.append("-w")
    scanned = scan(placed.args)
    inputs = [companion.path for companion in placed.companions if companion.is_input]
    if inputs and any(role == LANGUAGE for *_, role in scanned):
        inputs = ["-x", "none", *inputs]  # the language of the user's last -x is not an object's
    words = insert_options(scanned, placed.args, options, [*inputs, *libraries])
    words = [*command.words, *shortened(command, words, setup.folder)]
    return InstrumentedCommand(
        tuple(words), placed.stdin, placed.overlay, placed.copies, placed.companions
    )


def run_command(
    setup: CompileSetup, items: Sequence[InstrumentedSource], command: InstrumentedCommand
) -> CompileResult:
    """Run the command with its output kept, in which the originals' names are put back.

    Raises DriverError when the compiler cannot be run.
    """
    if setup.context.settings.keep:
        import shlex

        with open(os.path.join(setup.folder, "command"), "w", errors="surrogateescape") as file:
            file.write(f"cd {shlex.quote(os.getcwd())}\n{shlex.join(command.words)}\n")
    # ccache does not see a replaced text: it would answer with the original's object. A compiler
    # that is ended leaves temporary files behind, which go with our folder.
    environment = {**os.environ, "CCACHE_DISABLE": "1", "TMPDIR": setup.folder}
    fortran = bool(command.companions)
    has_dependencies = setup.context.command.dependencies
    if fortran and has_dependencies:
        written = _write_fortran_dependencies(setup)
        if written.status:  # gfortran writes them for a preprocessed source alone
            return CompileResult(tuple(items), command, written)
        # The copies are compiled without -MD, beside which gcc does not read these variables.
        for name in DEPENDENCY_VARIABLES:
            environment.pop(name, None)
    writes = has_dependencies or gcc_copy.writes_dependencies()
    watched = writes and command.copies and not (fortran and has_dependencies)
    files = gcc_copy.dependency_files(command.words) if watched else {}

    def restore() -> None:
        gcc_copy.restore_dependencies(files, command.copies)

    # A signal behind the end of gcc would leave names that lead nowhere, and `make` would ask for them.
    guard.add(restore)
    try:
        outcome = run(command.words, command.stdin, setup.folder, environment)
        restore()
    finally:
        guard.take_back(restore)
    if command.copies:
        restored = gcc_copy.restore_output(outcome.stderr, command.copies)
        stdout = outcome.stdout
        if gcc_copy.STDOUT in files:
            omits_system = files[gcc_copy.STDOUT]
            stdout = gcc_copy.restored_dependencies(stdout, command.copies, omits_system)
        outcome = Outcome(outcome.status, stdout, restored)
    if fortran and outcome.status == 0:
        outcome = _with_companions(setup, command, outcome)
    return CompileResult(tuple(items), command, outcome)


def _with_companions(
    setup: CompileSetup, command: InstrumentedCommand, outcome: Outcome
) -> Outcome:
    """Merge the companions into the objects, or into what the compiler has printed in their place."""
    from pomp_clang.driver.compile.companion import merge

    companions, printed = command.companions, ""
    try:
        if setup.context.command.output in _STDOUT:
            printed = os.path.join(setup.folder, "printed")
            with open(printed, "wb") as file:
                file.write(outcome.stdout)
            companions = tuple(
                replace(c, unit_object=c.unit_object and printed) for c in companions
            )
        merge(setup.context.command, companions, setup.folder)
        if printed:
            with open(printed, "rb") as file:
                return replace(outcome, stdout=file.read())
    except (DriverError, OSError) as error:
        return Outcome(1, b"", f"error: {error}\n".encode())
    return outcome


def _write_fortran_dependencies(setup: CompileSetup) -> Outcome:
    """Run the compiler over the user's own sources for their dependencies alone."""
    command = setup.context.command
    event_options = compile_arguments(command.defines_pomp, headers=False)
    options = [*event_options, "-fsyntax-only", "-w"]
    words = insert_options(list(command.options), list(command.args), options, [])
    words = [word for word in words if not word.startswith("-save-temps")]
    return run([*command.words, *words], None, setup.folder)


@record
class _Placed:
    """Texts in place: the command's arguments, the options to add, and the standard input."""

    args: list[str]
    options: list[str]
    stdin: bytes | None
    overlay: Overlay | None = None
    copies: tuple[Copy, ...] = ()
    companions: tuple[Companion, ...] = ()


def _in_overlay(setup: CompileSetup, items: Sequence[InstrumentedSource]) -> _Placed:
    """Write an overlay in which clang finds the texts under their originals' paths."""
    command = setup.context.command
    stdin = setup.context.stdin
    texts: dict[str, bytes] = {}
    names: dict[str, tuple[str, ...]] = {}

    def with_lines(text: bytes) -> bytes:
        return with_line_directives(text) if setup.marks_lines else text

    for item in items:
        for header in item.headers:
            if header.changed:
                path = os.path.realpath(header.path)
                texts.setdefault(path, with_lines(bytes_of(header.text)))
                names[path] = (*names.get(path, ()), *header.names)
        if item.path == "-":
            stdin = with_lines(item.text)
        elif item.changed:
            texts[item.path] = with_lines(item.text)
    if not texts:
        return _Placed(list(command.args), [], stdin)
    written = overlay.write(setup.folder, texts, command.directory, names)
    quiet = QUIET if setup.marks_lines else ()
    options = ["-ivfsoverlay", written.map, *quiet]
    if distributor(command.words):
        # The other machine's clang gets a preprocessed text, for which it warns of the overlay.
        options = ["--start-no-unused-arguments", *options, "--end-no-unused-arguments"]
    return _Placed(list(command.args), options, stdin, written)


def _in_copies(setup: CompileSetup, items: Sequence[InstrumentedSource]) -> _Placed:
    """Write copies for gcc, which take the originals' places among the arguments."""
    args = list(setup.context.command.args)
    stdin = setup.context.stdin
    copies: list[Copy] = []
    companions: list[Companion] = []
    for number, item in enumerate(items):
        if item.path == "-":
            stdin = item.text
            continue
        if item.unit.language == "fortran":
            copy, companion = _fortran_copy(setup, item)
            args[item.source.input.index] = copy.path
            copies.append(copy)
            companions.append(companion)
            continue
        item_copies = _copies(setup, number, item, args)
        args[item.source.input.index] = item_copies[0].path
        copies += item_copies
    if companions:
        others = _preprocessed_copies(setup, {item.source.input.index for item in items})
        for index, copy in others.items():
            args[index] = copy.path
            copies.append(copy)
    # Equal words stay: an option may be two of them, as `-iquote FOLDER`.
    options = [option for copy in copies for option in copy.options]
    options += [option for companion in companions for option in companion.options]
    if companions:
        args = _for_fortran_copies(setup.context.command, args, items)
    # A source finds the headers beside it before those in any folder of the user's.
    args = [*(word for copy in copies for word in copy.folders), *args]
    return _Placed(args, options, stdin, None, tuple(copies), tuple(companions))


def _fortran_copy(setup: CompileSetup, item: InstrumentedSource) -> tuple[Copy, Companion]:
    """Write a Fortran source's copy and compile its companion."""
    from pomp_clang.driver.compile.companion import companion_clang, compile_companion, target_of
    from pomp_clang.driver.place import fortran_copy

    command, family = setup.context.command, setup.toolchain.family
    folder = _unit_folder(setup)
    copy = fortran_copy.write(folder, item.path, item.text, family, command.args)
    clang = None
    if setup.by_clang:
        target = target_of(command)
        clang = companion_clang(command, setup.toolchain, setup.context.settings, target)
    try:
        return copy, compile_companion(command, item, folder, family, clang)
    except DriverError as error:
        raise ValueError(str(error)) from None


def _preprocessed_copies(setup: CompileSetup, replaced: Set[int]) -> dict[int, Copy]:
    """Write copies of the command's other Fortran sources that the compiler preprocesses.

    The options of a rewritten source's copy, which is preprocessed already, hold for all sources.
    Return the copies by the sources' numbers among the arguments.
    """
    from pomp_clang.driver.place import fortran_copy
    from pomp_clang.driver.unit.prepare import prepare_fortran
    from pomp_clang.driver.unit.sources import CandidateSource, is_fortran, is_preprocessed

    context, copies = setup.context, {}
    for other in context.command.inputs:
        if other.index in replaced or not is_fortran(other.language):
            continue
        if not is_preprocessed(context.command, other):
            continue
        with open(os.path.join(context.command.directory, other.path), "rb") as file:
            source = CandidateSource(other, file.read())
        try:
            unit = prepare_fortran(context, source).unit
        except DriverError as error:
            raise ValueError(str(error)) from None
        family, args = setup.toolchain.family, context.command.args
        folder, text = _unit_folder(setup), bytes_of(unit.text)
        copy = fortran_copy.write(folder, other.path, text, family, args)
        copies[other.index] = replace(copy, warned=unit.warned)
    return copies


def _for_fortran_copies(
    command: CompilerCommand, args: list[str], items: Sequence[InstrumentedSource]
) -> list[str]:
    """Return the arguments without macros and dependencies, the sources' folders searched first.

    There are modules. Included files stand in the copies' texts, and the folder of the command is
    searched for modules anyway.
    """
    from pomp_clang.driver.place import fortran_copy

    dropped: set[int] = set()
    for index, width, name, _, role in command.options:
        if role == DEPENDENCY or name in fortran_copy.NEITHER_DEPENDENCIES_NOR_MACROS:
            dropped.update(range(index, index + width))
    beside = dict.fromkeys(os.path.dirname(item.path) for item in items)
    folders = [folder for folder in beside if folder not in ("", ".")]
    kept = (word for number, word in enumerate(args) if number not in dropped)
    return [*(f"-I{folder}" for folder in folders), *kept]


def _copies(
    setup: CompileSetup, number: int, item: InstrumentedSource, args: list[str]
) -> list[Copy]:
    """Write a source's copy and those of its headers, and return them, the source's first.

    Headers that the command line includes are replaced in `args`.
    """
    from pomp_clang.driver.place.header_copies import HeaderCopies

    command = setup.context.command
    folder = _unit_folder(setup)
    headers = HeaderCopies(folder, item.headers, item.includes, command.args)
    text = bytes_of(headers.redirected(text_of(item.text), item.path, item.includes))
    source_copy = gcc_copy.write(folder, number, item.path, text, command.args)
    header_copies = headers.write()
    _include_copies(command, args, headers)
    return [source_copy, *header_copies]


def _include_copies(command: CompilerCommand, args: list[str], headers: HeaderCopies) -> None:
    """Replace the headers that have copies in the arguments for -include."""
    is_included = False
    for index, width, name, value, _ in command.options:
        if name not in ("-include", "-Wp,", "-Xpreprocessor"):
            continue
        parts = value.split(",") if name == "-Wp," else [value]
        for number, part in enumerate(parts):
            place = headers.forced(part) if is_included or name == "-include" else ""
            is_included = part == "-include"
            parts[number] = place or part
        last = index + width - 1
        args[last] = args[last].removesuffix(value) + ",".join(parts)


def _unit_folder(setup: CompileSetup) -> str:
    """Create a folder for one unit's texts."""
    used = sum(name.startswith("unit") for name in os.listdir(setup.folder))
    folder = os.path.join(setup.folder, f"unit{used}")
    os.mkdir(folder, 0o700)
    return folder


def shortened(command: CompilerCommand, words: list[str], folder: str) -> list[str]:
    """Return the arguments, as a response file if the user gave one or there are too many."""
    if not command.from_file and sum(map(len, words)) < LONGEST:
        return words
    name = os.path.join(folder, "arguments")
    with open(name, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(join(words))
    return [f"@{name}"]
