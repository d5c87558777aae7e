"""Compile OpenMP sources: instrument them, run the user's command with the new texts.

A build is never broken by us.  What the compiler does not take instrumented it
gets untouched, and the unit is named on stderr.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

from pomp_clang.driver import attempt as attempts
from pomp_clang.driver import gcc_copy, overlay, process, scratch
from pomp_clang.driver.attempt import Build, Replaced, Trial
from pomp_clang.driver.choosing import chosen
from pomp_clang.driver.command import Command
from pomp_clang.driver.direct import become, direct
from pomp_clang.driver.glance import Glance
from pomp_clang.driver.inline import Bitcode, bitcode
from pomp_clang.driver.notes import report
from pomp_clang.driver.prepare import UNTOUCHED, Readable, untouched
from pomp_clang.driver.process import Outcome, replay
from pomp_clang.driver.settings import Settings
from pomp_clang.driver.signals import TOLD_TO_END, end_like, guard
from pomp_clang.frontend.preprocess import begin, stop
from pomp_clang.frontend.unit import Instrumented, Note, Refused, Unit
from pomp_clang.record import replace
from pomp_clang.selection.choice import Choice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.driver.head_start import HeadStart
    from pomp_clang.driver.optimised import Optimised

Instrument = Callable[[Unit, Choice, Refused], Instrumented]


def build(
    view: Glance,
    command: Command,
    settings: Settings,
    readable: Sequence[Readable],
    notes: list[Note],
    stdin: bytes | None,
    instrument: Instrument | None,
    started: HeadStart | None = None,
) -> int:
    """Do a command with units that may hold OpenMP; returns the exit status.

    `notes` are on those of its units that cannot be read, `started` has a compile begun.  May become the compiler, where
    no text is replaced.  Raises DriverError when the compiler cannot be run.
    """
    optimised = _optimised(settings, readable)
    rewrite = _rewriting(settings, optimised, instrument)
    replaced = _replaced(readable, notes, rewrite)
    if started and not started.fits(replaced):
        started.drop()
        started = None
    made = dict.fromkeys(note for one in replaced for note in one.made.notes)
    if settings.strict and report([*notes, *made], settings):
        return 1
    if not replaced:
        return _untouched_command(view, settings, stdin, notes)
    try:
        folder = _folder(settings, replaced[0].source.input.path)
    except OSError as error:
        why = f"no folder for its text: {error}"
        notes += [_untouched(one, why, "temporary") for one in replaced]
        return _untouched_command(view, settings, stdin, notes)
    toolchain = readable[-1].toolchain
    inlined = bitcode(command, toolchain, settings)
    marked = any(one.unit.marks_lines for one in readable)
    common = Build(
        view,
        command,
        settings,
        toolchain,
        folder,
        stdin,
        rewrite,
        inlined,
        marked,
        started,
    )

    def tidy() -> None:
        if started:
            started.drop()
        if not settings.keep:
            scratch.remove(folder)

    with guard.ending(tidy):
        status = _compile(common, replaced, notes)
    return end_like(status)


def _replaced(
    readable: Sequence[Readable],
    notes: list[Note],
    rewrite: Callable[[Unit, Refused], Instrumented],
) -> list[Replaced]:
    """The units that have a new text; what is to be said of the others is added to `notes`."""
    replaced: list[Replaced] = []
    for one in readable:
        begin(one.unit)
        try:
            result = _instrumented(one.unit, rewrite)
        finally:
            stop()
        if result.replaces:
            replaced.append(Replaced(one.source, one.unit, result))
        else:
            notes += result.notes
    return replaced


def _optimised(settings: Settings, readable: Sequence[Readable]) -> Optimised | None:
    """The units' own code, where it is to tell what is worth measuring."""
    if settings.functions != "auto" or not readable:
        return None
    from pomp_clang.driver.optimised import Optimised

    return Optimised([one.unit for one in readable])


def _rewriting(
    settings: Settings, optimised: Optimised | None, instrument: Instrument | None
) -> Callable[[Unit, Refused], Instrumented]:
    choice = chosen(settings)
    if optimised is not None:
        choice = replace(choice, auto=optimised.auto)
    return lambda one, refused: (instrument or _rewriter())(one, choice, refused)


def _instrumented(one: Unit, rewrite: Callable[[Unit, Refused], Instrumented]) -> Instrumented:
    """The unit's new text; one that cannot be read keeps its own, and is named."""
    from pomp_clang.frontend.tree import UnitError

    try:
        return rewrite(one, {})
    except UnitError as error:
        note = Note(one.path, error.line, f"{UNTOUCHED}: {error}", error.reason)
        return Instrumented(None, (note,))
    except (OSError, UnicodeError) as error:
        return Instrumented(None, (untouched(one.path, str(error), "parse"),))


def _rewriter() -> Instrument:
    """The real one; loaded only here, as libclang comes with it."""
    from pomp_clang.rewrite.instrument import instrument

    return instrument


def _untouched_command(
    view: Glance, settings: Settings, stdin: bytes | None, notes: list[Note]
) -> int:
    """The user's own command; what is to be said of its units is said once it has
    succeeded, for the errors of one that fails are the user's own."""
    if not notes:
        return become(direct(view, settings))
    if settings.strict and report(notes, settings):
        return 1
    outcome = process.run(direct(view, settings), stdin)
    if outcome.status == 0:
        report(notes, settings)
    return end_like(outcome.status)


def _compile(build: Build, replaced: Sequence[Replaced], notes: list[Note]) -> int:
    """Run the command with all texts, then with what the compiler takes of them."""
    items, apart = _without_clash(build, list(replaced))
    said = [*notes, *apart]
    try:
        trial = attempts.prepare(build, items)
    except (OSError, ValueError) as error:
        said += [_untouched(one, str(error), "name") for one in items]
        return _refused(build, [], Outcome(1), said)
    ended = build.started.finish(items) if build.started else None
    outcome = ended or attempts.run(build, trial)
    if -outcome.status in TOLD_TO_END:
        replay(outcome)
        return outcome.status
    if outcome.status:
        return _refused(build, items, outcome, said)
    if attempts.says_all(build, items, outcome):
        replay(Outcome(0, b"", outcome.stderr))
    else:
        from pomp_clang.driver import reference

        own = reference.show(build, parsed_only=not outcome.stderr)
        if own.outcome.status:
            _remove_output(build.command)
            return own.outcome.status if own.in_place else reference.settle(build)
        if own.in_place:
            outcome = attempts.run(build, trial)
    return _finished(build, Trial(tuple(items), trial, outcome), said)


def _refused(build: Build, items: list[Replaced], outcome: Outcome, said: list[Note]) -> int:
    """The compiler refuses a text.  The user's own errors are the user's own; if there are
    none, what can be saved of the text is compiled, else it is as if we had not been here."""
    from pomp_clang.driver import reference
    from pomp_clang.driver.salvage import salvage

    own = reference.show(build, in_place=not build.settings.strict)
    if own.outcome.status:
        replay(own.outcome)
        return own.outcome.status if own.in_place else reference.settle(build)
    thorough = build.marked or any(item.unit.thread for item in items)
    if items and (build.inlined.path or thorough):
        build = replace(build, inlined=Bitcode("", "the compiler does not take it"), marked=False)
        items = [_unguarded(build, item) for item in items]
        trial = attempts.prepare(build, items)
        outcome = attempts.run(build, trial)
        if outcome.status == 0:
            return _finished(build, Trial(tuple(items), trial, outcome), said)
    saved = salvage(build, items, outcome) if items else None
    if saved is not None:
        said += [_untouched(one, why, "rejected") for one, why in saved.lost]
        if -saved.trial.outcome.status in TOLD_TO_END:
            return saved.trial.outcome.status
        if saved.trial.passed:
            return _finished(build, saved.trial, said)
    status = reference.settle(build) if saved is not None and not build.settings.strict else 0
    replay(own.outcome)
    return _said(build, said) or status


def _unguarded(build: Build, item: Replaced) -> Replaced:
    if not item.unit.thread:
        return item
    plain = replace(item.unit, thread="", empty=False)
    return Replaced(item.source, plain, _instrumented(plain, build.rewrite))


def _without_clash(build: Build, items: list[Replaced]) -> tuple[list[Replaced], list[Note]]:
    """gcc looks in one list of folders for the headers beside all of a command's sources:
    a source that would be given another's header is left as it is."""
    if build.toolchain.family == "clang":
        return items, list(_differing(items))
    together: list[Replaced] = []
    notes: list[Note] = []
    folders: list[str] = []
    for one in items:
        folder = os.path.dirname(one.source.input.path)
        clash = gcc_copy.clashes(one.text, [f for f in folders if f != folder])
        if clash:
            why = f"'{clash}' would be looked for beside another source; compile it alone"
            notes.append(_untouched(one, why, "folders"))
        else:
            together.append(one)
            folders.append(folder)
    return together, notes


def _differing(items: list[Replaced]) -> Iterator[Note]:
    """The headers that cannot have one text for all of a command's sources."""
    texts: dict[str, str] = {}
    for one in items:
        for header in one.headers:
            path = os.path.realpath(header.path)
            if header.changed and texts.setdefault(path, header.text) != header.text:
                why = f"instrumented as '{items[0].source.input.path}' reads it"
                text = f"{why}, not as '{one.source.input.path}' does; compile it alone"
                yield Note(header.path, 1, text, "header")


def _finished(build: Build, trial: Trial, said: list[Note]) -> int:
    """What is made is what stays; say what is to be said."""
    replay(Outcome(0, trial.outcome.stdout))
    notes = [*said, *dict.fromkeys(note for item in trial.items for note in item.made.notes)]
    if trial.command is not None and trial.command.overlay is not None:
        notes += [
            untouched(path, "the compiler did not read the instrumented text", "overlay")
            for path in overlay.not_taken(trial.command.overlay)
        ]
    return _said(build, notes)


def _said(build: Build, notes: list[Note]) -> int:
    if not report(notes, build.settings):
        return 0
    _remove_output(build.command)
    return 1


def _untouched(item: Replaced, why: str, reason: str) -> Note:
    return untouched(item.source.input.path, why, reason)


def _folder(settings: Settings, path: str) -> str:
    """A private folder: a temporary one, or a new one in --pomp-keep's.  Raises OSError."""
    if not settings.keep:
        return scratch.make("pomp-clang-")
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


def _remove_output(command: Command) -> None:
    """A build that is to fail leaves no object that make takes for a new one."""
    for path in command.made:
        if os.path.isfile(path):
            os.unlink(path)
