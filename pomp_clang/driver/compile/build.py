"""The compile of a command's sources with instrumented texts.

Instrumentation never breaks a build. A text that the compiler rejects is compiled untouched,
and a note on stderr names the unit.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence, Set

from pomp_clang.driver.command.compiler_command import BuildContext, CompilerCommand
from pomp_clang.driver.command.settings import BuildSettings, is_pomp2
from pomp_clang.driver.compile.diagnostics import (
    NativeResult,
    are_of_parser,
    compile_natively,
    show_diagnostics,
    users_diagnostics,
)
from pomp_clang.driver.compile.instrumented_command import (
    CompileResult,
    CompileSetup,
    run_command,
    write_command,
)
from pomp_clang.driver.compile.print_notes import print_notes
from pomp_clang.driver.compile.rewrite_units import (
    InstrumentedSource,
    Rewrite,
    optimized,
    rewrite_units,
    rewriter,
)
from pomp_clang.driver.place import gcc_copy, overlay
from pomp_clang.driver.process import scratch_folder
from pomp_clang.driver.process.run import Outcome, replay, run
from pomp_clang.driver.process.signals import STOPPED, guard
from pomp_clang.driver.runtime.event_bitcode import event_bitcode
from pomp_clang.driver.runtime.link import native_command
from pomp_clang.driver.unit.prepare import UNTOUCHED, PreparedUnit, untouched
from pomp_clang.frontend.source import text_of
from pomp_clang.frontend.unit import Note


def build(
    context: BuildContext, units: Sequence[PreparedUnit], notes: Sequence[Note]
) -> int | list[str]:
    """Instrument the units, compile them, and return the exit status, negative for a signal.

    `notes` name the units that cannot be parsed. If there is nothing to replace and nothing to
    print, nothing is compiled, and the command that this process may become is returned.  Raises
    DriverError when the compiler cannot be run.
    """
    bitcode = optimized(context, units)
    if bitcode is None:
        return _build(context, units, notes, rewriter(context, None))
    with guard.ending(bitcode.end):
        return _build(context, units, notes, rewriter(context, bitcode))


def _build(
    context: BuildContext,
    units: Sequence[PreparedUnit],
    notes: Sequence[Note],
    rewrite: Rewrite,
) -> int | list[str]:
    """Instrument the units with `rewrite` and compile them; return what `build` returns."""
    settings = context.settings
    items, unchanged = rewrite_units(units, rewrite)
    notes = [*notes, *unchanged]
    if settings.strict and print_notes([*notes, *_notes_of(items)], settings):
        return 1
    if not items:
        return _compile_untouched(context, notes)
    folder = ""

    def clean_up() -> None:
        if folder and not settings.keep:
            scratch_folder.remove(folder)

    with guard.ending(clean_up):
        try:
            with guard.starting:
                folder = _folder(settings, items[0].path)
        except OSError as error:
            why = f"no folder for its text: {error}"
            notes += [untouched(item.path, why, "temporary") for item in items]
            return _compile_untouched(context, notes)
        toolchain = units[-1].toolchain
        bitcode = event_bitcode(context.command, toolchain, settings)
        marks_lines = any(prepared.unit.marks_lines for prepared in units)
        setup = CompileSetup(context, toolchain, folder, rewrite, bitcode, marks_lines)
        return _compile(setup, items, notes)


def _folder(settings: BuildSettings, path: str) -> str:
    """Create a private folder, in --pomp-keep's if that is given.  Raises OSError."""
    if not settings.keep:
        return scratch_folder.make("pomp-clang-")
    os.makedirs(settings.keep, exist_ok=True)
    base = os.path.basename(path) if path != "-" else "stdin"
    number = 1
    while True:
        folder = os.path.abspath(os.path.join(settings.keep, f"{base}.{number}"))
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:
            number += 1
        else:
            return folder


def _compile_untouched(context: BuildContext, notes: Sequence[Note]) -> int | list[str]:
    """Run the user's own command, and print the notes if it succeeds; return it if there are none.

    If it fails, its errors are the user's own, and the notes would only distract.
    """
    command = native_command(context.line, context.settings)
    if not notes:
        return command
    guard.clean_up()  # the time budget as well: it would end a compile that is the plain one
    if context.settings.strict and print_notes(notes, context.settings):
        return 1
    outcome = run(command, context.stdin)
    if outcome.status == 0:
        print_notes(notes, context.settings)
    return outcome.status


def _compile(
    setup: CompileSetup, items: Sequence[InstrumentedSource], notes: Sequence[Note]
) -> int:
    """Compile all texts, or those that the compiler takes, and return the exit status."""
    items, conflicts = _without_conflicts(items, setup.toolchain.family)
    notes = [*notes, *conflicts]
    try:
        command = write_command(setup, items)
    except (OSError, ValueError) as error:
        unplaced = [untouched(item.path, str(error), "name") for item in items]
        return _compile_rejected(setup, CompileResult((), None, Outcome(1)), [*notes, *unplaced])
    earlier = {path for path in setup.context.command.output_files if os.path.lexists(path)}
    result = run_command(setup, items, command)
    status = result.outcome.status
    if -status in STOPPED:
        replay(result.outcome)
        return status
    if status:
        _remove_output(setup.context.command, earlier)
        return _compile_rejected(setup, result, notes)
    diagnostics = users_diagnostics(setup, result)
    if diagnostics is not None and not _may_find_headers_of_others(setup, notes):
        replay(Outcome(0, b"", diagnostics))
        return _finish(setup, result, notes)
    native = show_diagnostics(setup, parse_only=are_of_parser(result.outcome))
    if native.outcome.status:
        _remove_output(setup.context.command)
        # What this attempt wrote is gone, and so is what the failing command wrote in its place.
        return _fail_natively(setup, NativeResult(native.outcome, in_place=False))
    if native.in_place:
        result = run_command(setup, items, command)
    return _finish(setup, result, notes)


def _may_find_headers_of_others(setup: CompileSetup, notes: Sequence[Note]) -> bool:
    """Return True if a source that was not parsed is compiled with the folders of other sources' copies,
    in which it may find a header that it lacks."""
    if setup.toolchain.family != "gcc" or len(setup.context.command.inputs) < 2:
        return False
    return any(note.reason == "parse" and note.text.startswith(UNTOUCHED) for note in notes)


def _compile_rejected(setup: CompileSetup, result: CompileResult, notes: Sequence[Note]) -> int:
    """Compile what the compiler takes of texts that it rejects as a whole.

    If it rejects the user's own texts too, its errors are the user's own.
    """
    from pomp_clang.driver.compile.bisect_rejected import compile_accepted

    strict = setup.context.settings.strict
    native = show_diagnostics(setup, in_place=True)
    if native.outcome.status:
        return _fail_natively(setup, native)
    status = 0
    if result.items:
        accepted = compile_accepted(setup, result)
        notes = [*notes, *accepted.notes]
        if -accepted.result.outcome.status in STOPPED:
            return accepted.result.outcome.status
        if accepted.result.passed:
            return _finish(setup, accepted.result, notes)
        # The trials have overwritten the native compile's output.
        status = 0 if strict else compile_natively(setup).status
    replay(native.outcome)
    return _print_notes(setup, notes) or status


def _fail_natively(setup: CompileSetup, native: NativeResult) -> int:
    """Write what the user's own command, which fails, leaves and prints; return its status.

    Its diagnostics are shown already.
    """
    outcome = native.outcome if native.in_place else compile_natively(setup)
    replay(Outcome(outcome.status, outcome.stdout))
    return outcome.status


def _finish(setup: CompileSetup, result: CompileResult, notes: Sequence[Note]) -> int:
    """Print the output and all notes of a compile that passed; return the exit status."""
    replay(Outcome(0, result.outcome.stdout))
    notes = [*notes, *_notes_of(result.items)]
    if result.command is not None and result.command.overlay is not None:
        notes += [
            untouched(path, "the compiler did not read the instrumented text", "overlay")
            for path in overlay.not_taken(result.command.overlay)
        ]
    _say_without_event(setup, result.items)
    return _print_notes(setup, notes)


def _notes_of(items: Sequence[InstrumentedSource]) -> list[Note]:
    notes = dict.fromkeys(note for item in items for note in item.instrumented.notes)
    return [note for note in notes if note.reason != "pomp2"]


def _say_without_event(setup: CompileSetup, items: Sequence[InstrumentedSource]) -> None:
    """Print the note on constructs that POMP2 has no events for, once for a link."""
    line = setup.context.line
    if not (line.links and is_pomp2(setup.context.settings)):
        return
    from pomp_clang.driver.command.link_notes import say_without_event

    notes = [note for item in items for note in item.instrumented.notes if note.reason == "pomp2"]
    say_without_event(line, [(note.file, note.line, note.text) for note in notes])


def _print_notes(setup: CompileSetup, notes: Sequence[Note]) -> int:
    """Print the notes and return 0; if one of them is an error, remove the output, return 1."""
    if not print_notes(notes, setup.context.settings):
        return 0
    _remove_output(setup.context.command)
    return 1


def _remove_output(command: CompilerCommand, kept: Set[str] = frozenset()) -> None:
    """Remove the output of a build that fails, which make would take for a new one, but not `kept`."""
    for path in command.output_files:
        if path not in kept and os.path.isfile(path):
            os.unlink(path)


def _without_conflicts(
    items: Sequence[InstrumentedSource], family: str
) -> tuple[list[InstrumentedSource], list[Note]]:
    """Return the items that one command can compile, and notes on the conflicts."""
    if family == "clang":
        return list(items), list(_differing_headers(items))
    return _without_clashes(items)


def _without_clashes(
    items: Sequence[InstrumentedSource],
) -> tuple[list[InstrumentedSource], list[Note]]:
    """Leave out sources whose copies would include another source's header.

    gcc has one list of folders for the headers beside all of a command's sources.
    """
    together: list[InstrumentedSource] = []
    notes: list[Note] = []
    for item in items:
        clashes = (_clash(item, other) or _clash(other, item) for other in together)
        header = next(filter(None, clashes), "")
        if header:
            why = f"'{header}' would be looked for beside another source; compile it alone"
            notes.append(untouched(item.path, why, "folders"))
        else:
            together.append(item)
    return together, notes


def _clash(item: InstrumentedSource, other: InstrumentedSource) -> str:
    """Return a header of a source that gcc would take from another source's folder, or ""."""
    from pomp_clang.frontend.quoted_includes import searches_beside

    folder = os.path.dirname(other.path)
    if folder == os.path.dirname(item.path):
        return ""
    if not searches_beside(text_of(other.text), other.path):
        return ""
    return gcc_copy.clashes(item.text, [folder])


def _differing_headers(items: Sequence[InstrumentedSource]) -> Iterator[Note]:
    """Yield a note for each header that the command's sources instrument differently.

    An overlay has one text for a header: the first source's.
    """
    texts: dict[str, str] = {}
    for item in items:
        for header in item.headers:
            path = os.path.realpath(header.path)
            text = "".join(header.text.split())  # the preprocessor's blanks differ
            if header.changed and texts.setdefault(path, text) != text:
                why = f"instrumented as '{items[0].path}' reads it"
                what = f"{why}, not as '{item.path}' does; compile it alone"
                yield Note(header.path, 1, what, "header")
