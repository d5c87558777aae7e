"""The unit of a Fortran source: the text that its compiler reads."""

from __future__ import annotations

import os

from pomp_clang.driver import DriverError
from pomp_clang.driver.command.compiler_command import CompilerCommand, prefix_maps
from pomp_clang.driver.command.options import DEPENDENCY, LANGUAGE, LINK, MODE, OUTPUT, QUERY
from pomp_clang.driver.compiler.identify import Toolchain
from pomp_clang.driver.process.run import query
from pomp_clang.driver.runtime.link import compile_arguments, offloads
from pomp_clang.driver.unit.flang_text import (
    broken_at,
    controls_kept,
    controls_restored,
    has_controls,
    with_markers,
    with_own_lines,
)
from pomp_clang.driver.unit.fortran_includes import expanded, folders_of
from pomp_clang.driver.unit.sources import CandidateSource, is_preprocessed, source_form
from pomp_clang.driver.unit.translation_unit import MeasuredAs
from pomp_clang.frontend.source import bytes_of, text_of
from pomp_clang.frontend.unit import Unit
from pomp_clang.openmp.barriers import Barriers
from pomp_clang.record import replace

# Options that the preprocessor's run does not take over: outputs and stages.
_STAGES = frozenset((MODE, OUTPUT, DEPENDENCY, LANGUAGE, LINK, QUERY))
_MODULES = frozenset(("-J", "-module-dir"))
_NAMES = frozenset(
    ("-MG", "-MP", "-MT", "-MQ", "-save-temps", "-save-temps=", "-v", "-l", "-cpp", "-nocpp")
)


def fortran_unit(
    command: CompilerCommand,
    toolchain: Toolchain,
    source: CandidateSource,
    measured: MeasuredAs,
    edited: bool = False,
) -> Unit:
    """Return the unit of a source; `edited` if the source's text is not that of the file.

    Raises DriverError if the compiler cannot be run, or cannot preprocess the source.
    """
    text, warnings = source.text, b""
    form = source_form(command, source.input)
    if toolchain.family == "flang":
        text, warnings = _text_of_flang(command, source, measured, edited)
    elif is_preprocessed(command, source.input):
        preprocessed = _preprocessed_text if edited else _preprocessed
        text, warnings = preprocessed(command, source, measured)
    return Unit(
        path=source.input.path,
        text=text_of(expanded(source.input.path, text, folders_of(command))),
        language="fortran",
        arguments=command.args,
        preprocess=_to_bitcode(command, toolchain),
        barriers=_barriers(command, toolchain, measured.barriers),
        functions=measured.functions,
        pomp2=measured.pomp2,
        directives=measured.directives,
        offloads=offloads(command.args),
        form=form,
        nest_locks_by_address=toolchain.family == "gcc",
        bounds_outside=toolchain.family == "gcc",
        tasks_copy_late=toolchain.family == "flang",
        scans_alone=toolchain.family == "gcc",
        warned=bool(warnings),
        prefix_maps=prefix_maps(command.args, "macro"),
    )


def _text_of_flang(
    command: CompilerCommand, source: CandidateSource, measured: MeasuredAs, edited: bool
) -> tuple[bytes, bytes]:
    """Return the text that flang reads, in the user's own lines where these say the same, and the
    preprocessor's warnings.
    """
    path, text, warnings = source.input.path, source.text, b""
    if is_preprocessed(command, source.input):
        kept = has_controls(text)
        read = replace(source, text=controls_kept(text)) if kept else source
        preprocessed = _preprocessed_text if edited or kept else _preprocessed
        text, warnings = preprocessed(command, read, measured)
        text = controls_restored(text)
        form = source_form(command, source.input)
        text = broken_at(text, form.columns) if form.fixed else text
    marked = with_markers(text, path)
    if marked == source.text:
        return marked, warnings
    # A build may have preprocessed the source itself, as CMake does with Ninja.
    form = source_form(command, source.input)
    return bytes_of(with_own_lines(text_of(marked), path, text_of(source.text), form)), warnings


def _to_bitcode(command: CompilerCommand, toolchain: Toolchain) -> tuple[str, ...]:
    """Return the command for an estimate of the cost of procedures, () without an LLVM."""
    if toolchain.family != "flang":
        return ()
    folders = [f"-I{value}" for _, _, name, value, _ in command.options if name in _MODULES]
    return (*command.words, *command.without(_STAGES, _NAMES | _MODULES), *folders)


def _preprocessed(
    command: CompilerCommand, source: CandidateSource, measured: MeasuredAs
) -> tuple[bytes, bytes]:
    """Return the preprocessed text, and the preprocessor's warnings.

    Raises DriverError if the compiler cannot preprocess the source.
    """
    event_options = (
        compile_arguments(command.defines_pomp, headers=False) if measured.directives else []
    )
    options = command.without(_STAGES, _NAMES)
    # The language of one input, not of those behind it, which `-x none` ends.
    language = ["-x", source.input.language] if source.input.is_language_given else []
    words = [*command.words, *options, *event_options, "-cpp", "-E", *language, source.input.path]
    outcome = query(words)
    if outcome.status:
        lines = outcome.stderr.decode("utf-8", "replace").splitlines()
        raise DriverError(next((line for line in lines if "rror:" in line), "no preprocessed text"))
    return outcome.stdout, outcome.stderr


def _preprocessed_text(
    command: CompilerCommand, source: CandidateSource, measured: MeasuredAs
) -> tuple[bytes, bytes]:
    """Preprocess a copy of the source's text, in which the original's name is put back."""
    from pomp_clang.driver.process import scratch_folder  # for editors alone

    path = source.input.path
    try:
        folder = scratch_folder.make("pomp-clang-")
    except OSError as error:
        raise DriverError(f"no folder for its text: {error}") from None
    try:
        copy = os.path.join(folder, os.path.basename(path))
        with open(copy, "wb") as file:
            file.write(source.text)
        beside = f"-I{os.path.dirname(path) or '.'}"
        there = replace(command, args=(*command.args, beside))
        options = (*command.options, (len(command.args), 1, "-I", beside[2:], ""))
        there = replace(there, options=options)
        copied = replace(source, input=replace(source.input, path=copy))
        text, warnings = _preprocessed(there, copied, measured)
        return text.replace(os.fsencode(f'"{copy}"'), os.fsencode(f'"{path}"')), warnings
    except OSError as error:
        raise DriverError(f"{path}: {error.strerror}") from None
    finally:
        scratch_folder.remove(folder)


def _barriers(command: CompilerCommand, toolchain: Toolchain, setting: str) -> Barriers:
    """Return how implied barriers are measured.

    libgomp has no OMPT. The tool of the thread sanitizer leaves no room for another.
    """
    libomp = toolchain.family == "flang"
    if libomp and setting == Barriers.OMPT.value and "-fsanitize=thread" not in command.args:
        return Barriers.OMPT
    if setting == Barriers.ARRIVAL.value:
        return Barriers.ARRIVAL
    return Barriers.LIBOMP if libomp else Barriers.EXPLICIT
