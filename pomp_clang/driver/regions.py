"""clang's source-based coverage: the regions of a source are those that it has natively.

clang counts statements by what they are, which calls do not change, and notes by lines and
columns which counter is whose, and those change.  So the instrumented text is compiled
without such notes, and has those of the user's own command as data.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from pomp_clang.driver.ask import ask
from pomp_clang.driver.errors import DriverError
from pomp_clang.driver.native import proper, without_outputs
from pomp_clang.record import record

_MAPS = "-fcoverage-mapping"
_DECIDES = "-fcoverage-mcdc"  # whose counters there are not without the notes
_INSTRUMENTS = "-fprofile-instrument=clang"
_MADE = frozenset(("-emit-obj", "-S", "-emit-llvm", "-emit-llvm-bc"))

_NAME = re.compile(r'^@"?(__profn_[^"= ]*)"? = .*? c"(.*)"', re.M)
_COUNTER = re.compile(
    r'@llvm\.instrprof\.\w+(?:\.\w+)*\(ptr @"?(__profn_[^",]*)"?, i64 (-?\d+), i32 (\d+), i32 (\d+)'
)
_FUNCTION = re.compile(
    r"^@__covrec_[0-9A-F]+(u?) = .*? <\{ i64 (-?\d+), i32 (\d+), i64 (-?\d+), i64 (-?\d+), "
    r'\[\d+ x i8\] c"(.*?)" \}>',
    re.M,
)
_FILES = re.compile(
    r"^@__llvm_coverage_mapping = .*? \{ i32 (\d+), i32 (\d+), i32 (\d+), i32 (\d+) \}, "
    r'\[\d+ x i8\] c"(.*?)" \}',
    re.M,
)
_ESCAPED = re.compile(rb"\\(?:\\|([0-9A-Fa-f]{2}))")


@record
class Counted:
    """A function with counters: what its statements are, as a number, how many it counts, and
    which it counts in the order of its code."""

    name: bytes
    shape: int
    counters: int
    order: tuple[int, ...]


@record
class Noted:
    """What is noted of a function, by the number that its name has."""

    used: bool
    name: int
    shape: int
    files: int
    regions: bytes


def native(own: Sequence[str], made: Sequence[str], folder: str) -> dict[str, bytes]:
    """For each source that the user's own command compiles the end of its instrumented
    text, as `made` compiles it.

    Raises OSError, and DriverError where the functions are not the same.
    """
    theirs = [words for words in proper(own) if _MAPS in words]
    ours = [words for words in proper(made) if _INSTRUMENTS in words]
    if [words[-1] for words in ours] != [words[-1] for words in theirs]:
        raise DriverError("the compiler does not compile what it compiles natively")
    found: dict[str, bytes] = {}
    for one, words in zip(ours, theirs, strict=True):
        if words[-1] == "-":
            raise DriverError("coverage of standard input is not told twice")
        if _DECIDES in words:
            raise DriverError(f"{_DECIDES} counts only where the notes are made")
        found[words[-1]] = _end(_code(words, folder), _code(one, folder))
    return found


def _code(words: Sequence[str], folder: str) -> str:
    """What clang makes of a source before it optimises."""
    path = os.path.join(folder, "counted.ll")
    kept = [w for w in without_outputs(words) if w not in _MADE and not w.startswith("-flto")]
    wanted = ["-w", "-emit-llvm", "-disable-llvm-passes", "-o", path]
    if ask([*kept[:-1], *wanted, kept[-1]], timeout=3600).status:
        raise DriverError("the compiler does not tell which regions it counts")
    with open(path, encoding="latin-1") as file:
        return file.read()


def _end(native: str, made: str) -> bytes:
    _check(_counted(native), _counted(made))
    data = [line for note in _noted(native) for line in _function(note)]
    files = _FILES.search(native)
    if files is not None:
        data += _section('__llvm_covmap,"R",@progbits', 8)
        data += [f".4byte {word}" for word in files.groups()[:4]]
        data += _bytes(_unescaped(files[5]))
    listed = _names(native).values()
    if listed:
        text = b"\1".join(listed)
        data += _section('__llvm_prf_names,"aR",@progbits', 1)
        data += _bytes(_leb(len(text)) + b"\0" + text)
    return "\n".join(["", *(f'__asm__("{line}\\n");' for line in [*data, ".text"]), ""]).encode()


def _counted(code: str) -> list[Counted]:
    """The functions with counters, in the order in which clang has made them."""
    found: dict[str, list[tuple[int, int, int]]] = {}
    for symbol, shape, counters, number in _COUNTER.findall(code):
        found.setdefault(symbol, []).append((int(shape), int(counters), int(number)))
    return [
        Counted(name, *found[symbol][0][:2], tuple(number for _, _, number in found[symbol]))
        for symbol, name in _names(code).items()
        if symbol in found
    ]


def _check(native: Sequence[Counted], made: Sequence[Counted]) -> None:
    """Raises DriverError where they do not count alike, or have other names."""
    theirs, ours = set(native), set(made)
    for other in (*(one for one in native if one not in ours), *(ours - theirs)):
        name = other.name.decode("utf-8", "replace")
        raise DriverError(f"'{name}' does not count what it counts natively")


def _names(code: str) -> dict[str, bytes]:
    """The functions' names, by the symbols that hold them."""
    return {symbol: _unescaped(name) for symbol, name in _NAME.findall(code)}


def _noted(code: str) -> Iterator[Noted]:
    for used, name, _, shape, files, regions in _FUNCTION.findall(code):
        yield Noted(
            bool(used), _unsigned(name), _unsigned(shape), _unsigned(files), _unescaped(regions)
        )


def _function(note: Noted) -> Iterator[str]:
    """The assembly of a function's notes."""
    group = f"__covrec_{note.name:X}{'u' if note.used else ''}"
    yield from _section(f'__llvm_covfun,"GR",@progbits,{group},comdat', 8)
    yield f".8byte {note.name}"
    yield f".4byte {len(note.regions)}"
    yield f".8byte {note.shape}"
    yield f".8byte {note.files}"
    yield from _bytes(note.regions)


def _section(words: str, alignment: int) -> list[str]:
    escaped = words.replace('"', '\\"')
    return [f".section {escaped}", f".balign {alignment}"]


def _bytes(data: bytes) -> Iterator[str]:
    for at in range(0, len(data), 64):
        yield f".byte {','.join(map(str, data[at : at + 64]))}"


def _unescaped(text: str) -> bytes:
    data = text.encode("latin-1")
    return _ESCAPED.sub(lambda match: bytes((int(match[1] or b"5C", 16),)), data)


def _unsigned(text: str) -> int:
    return int(text) & 0xFFFFFFFFFFFFFFFF


def _leb(number: int) -> bytes:
    """A number in LEB128 (DWARF 5, 7.6)."""
    found = b""
    while number > 0x7F:
        found += bytes((number & 0x7F | 0x80,))
        number >>= 7
    return found + bytes((number,))
