"""The differences between what the plain compiler did and what pomp-clang did."""

from __future__ import annotations

import difflib
import os
import re
import shlex
from collections.abc import Iterator

from tests.random_commands.case import Case, Step
from tests.random_commands.sandbox import LEAST, PATIENCE, Observation, Sandbox, StepResult

OUR_MESSAGE = re.compile(
    r"^(?:.*: (?:warning|error|note): .*\[pomp-[a-z0-9-]+\]|pomp-clang: .*)\n?", re.M
)
_COLOR = r"(?:\x1b\[[\d;]*m)*"
NO_INPUT = re.compile(
    rf"^(?:clang|flang).*: {_COLOR}(?:error: {_COLOR}no input files"
    rf"|(?:warning|error): {_COLOR}argument unused ).*\n",
    re.M,
)
"""With options for the linker, which a link gets, clang misses no input and names no unused option."""

_OF_REFERENCE = (
    r".*(?:undefined references? to|DSO missing from command line|Using 'dlopen' in statically).*\n"
)
OF_LINKER = re.compile(
    rf"^(?:.* in function `.*':\n(?:{_OF_REFERENCE})+|{_OF_REFERENCE}|.*libpomp.*: in function.*\n)",
    re.M,
)
"""An object has other references if it is instrumented, and the runtime calls dlopen and libc.

The linker names the function once for several messages.
"""

IN_FUNCTION = re.compile(r"(?<= in function )`[^']*'")
"""The label before the place of the linker's message."""

RELOCATION = re.compile(
    r"relocation \w+ against [^`\n]*`[^']*'"
    r"( can not be used when making a \w+ object)(?:; recompile with -f\w+)?"
)
"""The linker names the first of an object's relocations that it cannot use, which is ours."""

PARSER_CRASH = re.compile(r"^libclang: crash detected during .*: \{\n(?: .*\n)*\}\n", re.M)
"""clang crashes on what it includes in a relative -working-directory, if it comes to that."""

LEXING = "failure when lexing a numeric literal"
"""clang 19 may fail so where a spliced line within __has_include has a number of macros, depending
on what it has read before."""

READ_ONLY = re.compile(
    r"^.*: warning: (?:relocation against `.*' in read-only section|creating DT_TEXTREL in a) .*\n",
    re.M,
)
"""Warnings of a linker that fails, whose undefined symbols differ. A link of code with fixed addresses
to a PIE has them too, since instrumented code has addresses."""

PASS_TIME = re.compile(r"^ [\w ():,.&/-]+ : +\d+\.\d\d .*\n", re.M)
"""gcc's time for one of its passes, of those that took any (gfortran -E -nocpp)."""

HEAP = re.compile(r"\{heap \d+k\}")
"""The size of gcc's memory, which is larger with our options (gfortran -E -nocpp)."""

SHORTER = re.compile(r"^cc1\w*: warning:  is shorter than expected\n", re.M)
"""gcc's warning of a standard input that is a file and is read twice. Ours is a file also where the
user's is a pipe."""

BUILT_IN = re.compile(r"^(<built-in>:\d+:\d+:)\{\d+:(\d+)-\d+:(\d+)\}", re.M)
"""A range among clang's predefined macros, of which _POMP is one."""

CODE = re.compile(r"^(?:\t\.(?:text|file)\b|; ModuleID = ).*", re.M | re.S)
"""Assembler text, or LLVM's."""

FAULTS = ("Traceback (most recent call last)", "internal error", "Segmentation fault")
COMPILER_CRASHES = (
    "PLEASE submit a bug report", "PLEASE ATTACH THE FOLLOWING FILES", "internal compiler error",
    "Stack dump", "ld.gold: internal error",
)  # fmt: skip
VERBOSE = frozenset((
    "-v", "--verbose", "-time", "-ftime-report", "-fmem-report", "-Wl,-t", "-Wl,--cref", "-H",
    "-fproc-stat-report", "-fopt-info", "-Rpass", "-Wl,--trace-symbol",
))  # fmt: skip
"""Options whose output shows the commands, the inputs or the optimizations of the compiler."""

BUDGET = "[pomp-budget]"
"""A unit whose time is over is compiled again: its diagnostics may have been shown before."""

BESIDE = (
    ".d", ".mk", ".json", ".yaml", ".csv", ".dia", ".su", ".ci", ".txt", ".i", ".s", ".ii", ".map",
)  # fmt: skip
"""Endings of files beside the output, which a failed command may or may not write."""

OF_STOPPED = re.compile(r"(?:^|/)st[A-Za-z0-9]{6}$|-[0-9a-f]{8}\.\w+\.tmp$")
"""The temporary file of an ar that is stopped, and of a clang that has just made it."""

OF_STOPPED_GCC = re.compile(r"^cc\w{6}\.\w+$")
"""The temporary file of a gcc that is stopped, whose compiler proper then makes it once more."""

OF_DUMP = re.compile(r"\.\d{3}[itr]\.\w+$")
"""gcc's dumps of code (-fdump-): a file for each pass that changes some function."""

OF_OUR_TEXT = re.compile(r"(?:\.(?:f90|f|ld\d*_args)|[.-]args\.\d+)$")
"""Files of -save-temps: our text is preprocessed before, and our command has no response file, so
that gcc writes none for the linker either."""

APPENDED = frozenset(("env.d", "sun.d"))
"""Files to which compilers append: DEPENDENCIES_OUTPUT and SUNPRO_DEPENDENCIES."""

DEFINED = re.compile(r"^#define _POMP 202611\n", re.M)
TOOLS_OWN = re.compile(r"^make(?:\[\d+\])?: .*\n?", re.M)


def compared(sandbox: Sandbox, case: Case) -> tuple[Observation, Observation, list[str]]:
    """Run a case by the plain compiler and by pomp-clang, and return both with the differences."""
    native = sandbox.observe(case, instrumented=False)
    measured = sandbox.observe(case, instrumented=True)
    result = list(differences(case, native, measured))
    if result and native.programs != measured.programs:
        result = list(differences(case, native, measured, sandbox.undetermined(case)))
        if result:
            sandbox.observe(case, instrumented=True)  # its files are kept
    return native, measured, result


def differences(
    case: Case,
    native: Observation,
    measured: Observation,
    undetermined: frozenset[str] = frozenset(),
) -> Iterator[str]:
    """Yield each difference that the documentation does not name.

    The output of `undetermined` programs may differ.
    """
    for step, plain, result in zip(case.steps, native.steps, measured.steps, strict=True):
        if _has_fixed_addresses(case) and RELOCATION.search(result.stderr):
            return  # only code without any address is linked natively
        if LEXING in result.stderr:
            return  # the plain compiler fails with another option, too, as -I/usr/include
        yield from _step(case, step, plain, result)
        if _crashes(plain) or (case.is_strict and _is_refused(result)):
            return  # what follows is not comparable
    is_whole = native.steps[-1].status == 0 or not any(step.interrupt for step in case.steps)
    if is_whole:
        yield from _files(case, native, measured)
        yield from _programs(case, native, measured, undetermined)
    left = _temporary(case, measured)
    if len(left) > len(_temporary(case, native)):
        yield f"temporary files: {' '.join(left)}"
    if measured.processes:
        yield f"processes: {' | '.join(measured.processes)}"


def _temporary(case: Case, observation: Observation) -> list[str]:
    """Return the temporary files that are left behind, without those that gcc may leave."""
    interrupted = any(step.interrupt for step in case.steps)
    interrupted |= any(BUDGET in step.stderr for step in observation.steps)
    return [
        name for name in observation.temporary if not (interrupted and OF_STOPPED_GCC.search(name))
    ]


def _is_refused(measured: StepResult) -> bool:
    """Return True if --pomp-strict made a note an error."""
    return "error: " in measured.stderr and "[pomp-" in measured.stderr


def _step(case: Case, step: Step, native: StepResult, measured: StepResult) -> Iterator[str]:
    yield from _faults(native, measured)
    if step.interrupt:
        return
    strict = case.is_strict and _is_refused(measured)
    was_interrupted = any(other.interrupt for other in case.steps)
    if was_interrupted and native.status and not measured.status:
        return  # the plain gcc that was stopped left a compiler behind, which writes its output
    if _crashes(native) or (native.status and _is_of_no_input(case, step, native)):
        return
    if bool(native.status) != bool(measured.status) and not strict:
        yield f"status {measured.status}, not {native.status}: {_last_lines(measured.stderr)}"
        return
    if was_interrupted:
        return  # what is compiled again depends on the time of the interrupt
    if strict or BUDGET in measured.stderr or not _speaks_alike(_words(case, step)):
        return
    writes_rules = not native.status and "-MF -" in " ".join(_words(case, step))
    if "\0" not in native.stdout and not (
        writes_rules and _names(native.stdout) == _names(measured.stdout)
    ):
        stdout = CODE.sub("CODE", DEFINED.sub("", measured.stdout))
        yield from _difference("stdout", CODE.sub("CODE", native.stdout), stdout)
    plain, text = _text(case, step, native), _text(case, step, measured)
    if _keeps_labels(case):
        plain, text = IN_FUNCTION.sub("", plain), IN_FUNCTION.sub("", text)
    yield from _difference("stderr", plain, text)


def _crashes(native: StepResult) -> bool:
    return any(crash in native.stderr for crash in COMPILER_CRASHES)


def _speaks_alike(words: list[str]) -> bool:
    """Return whether a compiler has the same words on the user's command and on ours.

    A second input "-" is empty, or a file at its end, of which gcc warns.
    """
    names = {word.split("=")[0] for word in words} | set(words)
    return not VERBOSE & names and words.count("-") < 2


def _words(case: Case, step: Step) -> list[str]:
    """Return a command's words with those of response files in place of these."""
    words = list(step.words)
    for at in reversed(range(len(words))):
        text = case.files.get(words[at][1:], b"") if words[at].startswith("@") else b""
        if text:
            words[at : at + 1] = _words(case, Step(tuple(shlex.split(text.decode()))))
    return words


def _keeps_labels(case: Case) -> bool:
    """Return True if the assembler keeps local labels, by which the linker names a place."""
    texts = [" ".join(_words(case, step)) for step in case.steps]
    return any("-Wa,-L" in text or "-Xassembler -L" in text for text in texts)


def _has_fixed_addresses(case: Case) -> bool:
    """Return True if code is compiled for the addresses at which it is linked."""
    words = {word for step in case.steps for word in _words(case, step)}
    return bool(words & {"-fno-pic", "-fno-PIC", "-fno-pie", "-fno-PIE"})


def _faults(native: StepResult, measured: StepResult) -> Iterator[str]:
    for fault in FAULTS:
        if fault in measured.stderr and fault not in native.stderr:
            yield f"{fault}: {_first_line(measured.stderr, fault)}"
    if measured.status == 124 and native.status != 124:
        yield "it does not end"
    busy = max(1.0, os.getloadavg()[0] / len(os.sched_getaffinity(0)))
    if measured.seconds > max(LEAST * busy, PATIENCE * native.seconds):
        yield f"it takes {measured.seconds:.1f} s, and {native.seconds:.1f} s without pomp-clang"


def _is_of_no_input(case: Case, step: Step, native: StepResult) -> bool:
    """Return True if clang refuses options alone, which it does not at a link with options."""
    return bool(native.stderr) and not _text(case, step, native)


def _text(case: Case, step: Step, result: StepResult) -> str:
    """Return what a step's compiler says of the user's command."""
    text = OF_LINKER.sub("", OUR_MESSAGE.sub("", result.stderr))
    text = BUILT_IN.sub(r"\1{\2-\3}", text)
    text = RELOCATION.sub(r"relocation\1", HEAP.sub("", text))
    text = SHORTER.sub("", PASS_TIME.sub("", text))
    text = PARSER_CRASH.sub("", text) if result.status else text
    if result.status or _has_fixed_addresses(case):
        text = READ_ONLY.sub("", text)
    stops = {"-c", "-S", "-E", "-fsyntax-only"} & set(_words(case, step))
    return text if stops else NO_INPUT.sub("", text)


def _files(case: Case, native: Observation, measured: Observation) -> Iterator[str]:
    words = [word for step in case.steps for word in _words(case, step)]
    keeps = any(word.startswith(("-save-temps", "--save-temps")) for word in words)
    failed = any(step.status for step in native.steps)
    if failed and len(case.steps) == 1 and _is_of_no_input(case, case.steps[0], native.steps[0]):
        return
    interrupted = any(step.interrupt for step in case.steps)
    for name in sorted(native.files.keys() | measured.files.keys()):
        if interrupted and OF_STOPPED.search(name):
            continue
        kinds = native.files.get(name, "nothing"), measured.files.get(name, "nothing")
        is_text = (keeps and OF_OUR_TEXT.search(name)) or OF_DUMP.search(name)
        if kinds[0] != kinds[1] and not is_text and not (failed and name.endswith(BESIDE)):
            yield f"file {name!r}: {kinds[1]}, not {kinds[0]}"
    if failed:
        return
    for name in sorted(native.texts.keys() & measured.texts.keys()):
        if keeps and not name.endswith(".d"):
            continue  # an instrumented text is preprocessed
        plain, text = native.texts[name], DEFINED.sub("", measured.texts[name])
        if name in APPENDED:
            plain, text = _once(plain), _once(text)
        if not name.endswith((".d", ".mk")) or _names(plain) != _names(text):
            yield from _difference(f"text of {name!r}", plain, text)


def _names(rules: str) -> list[str]:
    """Return the words of a dependency file: a header may have two names, in two folders, and
    clang names the folder of a module after all options."""
    rules = _MODULE_CACHE.sub("/", rules)
    words = re.split(r"(?<!\\)\s+", rules.replace("\\\n", " "))
    names = (re.sub(r"^/\S*/work/", "", word) for word in words)
    return list(dict.fromkeys(os.path.normpath(name) for name in names))


def _once(text: str) -> str:
    """Return the rules of a dependency file, each once: a variable's file gets those of any run."""
    return "\n".join(dict.fromkeys(re.split(r"(?<!\\)\n", text)))


def _programs(
    case: Case, native: Observation, measured: Observation, undetermined: frozenset[str]
) -> Iterator[str]:
    is_static_fortran = any({"gfortran", "-static"} <= {*_words(case, step)} for step in case.steps)
    for name in sorted((native.programs.keys() & measured.programs.keys()) - undetermined):
        plain, result = native.programs[name], measured.programs[name]
        # A program that ends by a signal (-e main) ends in any other way as well.
        both_fail = plain[0] < 0 and result[0] != 0
        # A static program of gfortran may lack functions of threads that libgfortran calls at its
        # end. Our library has them.
        ends_better = is_static_fortran and plain[0] < 0 and result == (0, plain[1])
        if plain != result and not both_fail and not ends_better:
            yield f"program {name!r}: {result}, not {plain}"


def _difference(what: str, native: str, measured: str) -> Iterator[str]:
    native, measured = normalized(native), normalized(measured)
    if native != measured:
        lines = difflib.unified_diff(native.splitlines(), measured.splitlines(), lineterm="", n=0)
        changed = [line for line in lines if line[:3] not in ("---", "+++") and line[:2] != "@@"]
        yield f"{what}: {' / '.join(changed[:6])[:700]}"


# clang names an object after the source, and --pomp-keep a folder of gcc's temporary files. The
# source's name may have a blank or a quote.
_TEMPORARY = re.compile(
    r"/[^\s:'\"`]*/(?:tmp|kept)/[^\s:'\"`;]*(?:[' ][\w./]*(?:-[0-9a-f]{6}|/cc\w{6})\.[os])?"
)
_HEXADECIMAL = re.compile(r"\b0x[0-9a-f]+\b|(?<=defaulting to )[0-9a-f]{8,16}\b")
_COMMAND_LINE = re.compile(
    r'(?<=<command[ -]line>[:(])\d+|^# \d+ "<command-line>".*\n|^ +\d+ \| (?=#define)', re.M
)
"""Lines of the command line as a text, which has one for _POMP."""


_ASSEMBLER_LINE = re.compile(r"\.s:\d+:")

_LTO_SECTION = re.compile(r"(\.gnu\.lto_[.\w]*\.)[0-9a-f]{8,16}\b")
"""The name of a section for -flto, in which gcc writes a random number."""

_MODULE_CACHE = re.compile(r"/[0-9A-Z]{10,14}/(?=\S+\.pcm\b)")
"""clang's folder for modules that are compiled with the same options: _POMP is one."""


def normalized(text: str) -> str:
    """Return a text without what differs from run to run or with the code: temporary names, addresses,
    lines of assembler texts, folders of modules, random names of sections."""
    text = _ASSEMBLER_LINE.sub(".s:0:", _COMMAND_LINE.sub("", text))
    text = _LTO_SECTION.sub(r"\1", _MODULE_CACHE.sub("/", text))
    return _HEXADECIMAL.sub("0x", _TEMPORARY.sub("TMP", text))


def _first_line(text: str, part: str) -> str:
    return next((line for line in text.splitlines() if part in line), "")[:300]


def _last_lines(text: str) -> str:
    return " / ".join(line[:300] for line in text.strip().splitlines()[-4:])
