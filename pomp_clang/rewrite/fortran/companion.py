"""The C text of a Fortran unit's companion: its descriptors, and the subroutines that it calls."""

from __future__ import annotations

from collections.abc import Sequence

from pomp_clang.frontend.constructs import Constructs
from pomp_clang.rewrite.c.c_text import HIDDEN
from pomp_clang.rewrite.c.descriptor_names import DescriptorNames
from pomp_clang.rewrite.c.descriptors import group
from pomp_clang.rewrite.c.registration import prologue, registration
from pomp_clang.rewrite.c.signatures import calls_in
from pomp_clang.rewrite.fortran.stubs import Stubs

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
