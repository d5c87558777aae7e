"""The C text of a Fortran unit's companion: its descriptors, and the subroutines that it calls.

There is one subroutine for each place of a construct. A call names no variable of the user's and
needs no declaration, so it may stand under `implicit none` and `default(none)`. The subroutine
makes all events of its place, and may have the construct's token as its argument.
"""

from __future__ import annotations

import re
from binascii import crc32
from collections.abc import Iterator, Sequence

from pomp_clang.frontend.constructs import Constructs
from pomp_clang.rewrite.c.c_text import HIDDEN, calls_in
from pomp_clang.rewrite.c.descriptor_names import DescriptorNames
from pomp_clang.rewrite.c.descriptors import group
from pomp_clang.rewrite.c.registration import prologue, registration

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_OF_ITS_OWN = "__attribute__((__noinline__)) "
"""Frames of two calls are compared: neither call may be inlined."""

_TOKEN = re.compile(r"\b__pomp_token\b")

TOKEN = "*__pomp_token"
"""The token in the statements of a subroutine."""


class Stubs:
    """The subroutines of one unit, in the order of their calls."""

    def __init__(self, path: str, text: str) -> None:
        self._letters = _letters(path, text)
        self._bodies: list[tuple[str, str, str]] = []

    @property
    def names(self) -> list[str]:
        """The names that the text calls."""
        return [name for name, _, _ in self._bodies]

    @property
    def bodies(self) -> list[str]:
        return [body for _, _, body in self._bodies]

    def add(self, statements: Sequence[str], head: str = "") -> str:
        """Add a subroutine of C statements and return its name in Fortran.

        `head` is its type and parameters, `{}` in the place of the name; by default it has the
        token as a parameter if it uses the token.
        """
        body = " ".join(statements)
        name = f"pq{self._letters}{len(self._bodies) + 1}"
        parameters = "void **__pomp_token" if _TOKEN.search(body) else "void"
        self._bodies.append((name, head or f"void {{}}({parameters})", body))
        return name

    def definitions(self, ending: str) -> Iterator[str]:
        """Yield the subroutines as C functions, whose names end as the compiler ends them."""
        for name, head, body in self._bodies:
            alone = _OF_ITS_OWN if "__builtin_frame_address" in body else ""
            yield f"{alone}{head.format(name + ending)} {{ {body} }}"


def _letters(path: str, text: str) -> str:
    """Return letters that hardly any other unit of a program has.

    Names may stay visible in a program that is linked in one command.
    """
    number = crc32(f"{path}\0{text}".encode("utf-8", "surrogateescape"))
    letters = ""
    for _ in range(5):
        number, digit = divmod(number, len(_DIGITS))
        letters += _DIGITS[digit]
    return letters


def name_ending(arguments: Sequence[str]) -> str:
    """Return what a command's compiler adds to the names of external procedures."""
    underscoring = [arg for arg in arguments if arg in ("-fno-underscoring", "-funderscoring")]
    return "" if underscoring[-1:] == ["-fno-underscoring"] else "_"


SUSPEND, RESUME = "__pomp_suspend", "__pomp_resume"

_SUSPENDED = f"""\
extern void *realloc(void *, unsigned long);
struct __pomp_suspended {{ char *frame; struct ompregdescr *at; void *task; }};
static _Thread_local struct __pomp_suspended *__pomp_open;
static _Thread_local int __pomp_opened, __pomp_room;
static void {SUSPEND}(struct ompregdescr *at, char *frame) {{
  int n = __pomp_opened;
  while (n > 0 && __pomp_open[n - 1].frame < frame) n--;
  for (int i = n - 1; i >= 0 && __pomp_open[i].frame == frame; i--)
    if (__pomp_open[i].at == at) n = i;
  if (n == __pomp_room) {{
    int room = n ? 2 * n : 16;
    void *more = realloc(__pomp_open, sizeof(*__pomp_open) * room);
    if (!more) return;
    __pomp_open = more;
    __pomp_room = room;
  }}
  __pomp_open[n].frame = frame;
  __pomp_open[n].at = at;
  __pomp_open[n].task = POMP_Get_task();
  __pomp_opened = n + 1;
}}
static void {RESUME}(struct ompregdescr *at, char *frame) {{
  int n = __pomp_opened;
  while (n > 0 && __pomp_open[n - 1].frame < frame) n--;
  while (n > 0 && __pomp_open[n - 1].at != at) n--;
  if (n > 0) POMP_Set_task(__pomp_open[--n].task);
  __pomp_opened = n;
}}
"""
"""The tasks that a thread may have left at a scheduling point.

A thread resumes tied tasks in the reverse of the order in which it left them. An entry of a deeper
frame is one that a cancellation has left behind.
"""


def companion_text(
    constructs: Constructs,
    members: list[DescriptorNames],
    stubs: Stubs,
    ending: str,
    early: bool = False,
) -> str:
    """Return the text; the subroutines' names end in `ending`. `early` is that of `registration`."""
    suspends = any(SUSPEND in body for body in stubs.bodies)
    calls = calls_in([*stubs.bodies, _SUSPENDED if suspends else ""])
    parts = [
        prologue(calls, cplusplus=False, tag="", repeated=False),
        registration(cplusplus=False, tag="", repeated=False, early=early),
        *_groups(constructs, members),
        _SUSPENDED if suspends else "",
        *(f"{HIDDEN} {text}" for text in stubs.definitions(ending)),
    ]
    return "\n".join(parts) + "\n"


def _groups(constructs: Constructs, members: list[DescriptorNames]) -> Sequence[str]:
    return [group(constructs, members, 1, cplusplus=False)] if members else []
