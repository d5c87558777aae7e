"""Directives that only some inclusions of a header have in front of a block."""

from __future__ import annotations

from bisect import bisect_left

from pomp_clang.frontend.c.enclosed import EnclosedView
from pomp_clang.frontend.c.file_view import FileView
from pomp_clang.frontend.directive_text import DirectiveText, read_directive
from pomp_clang.frontend.source import Extent
from pomp_clang.openmp.directives import Directive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def is_parted(
    view: FileView | EnclosedView,
    pragmas: Sequence[DirectiveText],
    pragma: DirectiveText,
    block: Extent,
) -> bool:
    """Return True if some readings have a directive without its block, or a block that cannot be
    wrapped where the directive is and left alone elsewhere."""
    is_whole = _is_read_with(view, pragma.start, block.end - 1)
    return not is_whole and not is_optional(view, pragmas, pragma, block)


def start_of(pragma: DirectiveText) -> int:
    """Return the offset at which a directive starts, for a search in order."""
    return pragma.start


def is_optional(
    view: FileView | EnclosedView,
    pragmas: Sequence[DirectiveText],
    pragma: DirectiveText,
    block: Extent,
) -> bool:
    """Return True if some readings have the block of a directive without the directive, and the
    block can be wrapped in the others only."""
    if not isinstance(view, EnclosedView) or pragma.spelling != "#pragma":
        return False
    directive = read_directive(pragma.body).directive
    if directive is None or _is_divided(directive) or "untied" in pragma.body:
        return False
    live, around = view.live(pragma.start), view.live(block.start)
    if around != view.live(block.end - 1) or not set(live) < set(around):
        return False
    at = bisect_left(pragmas, pragma.end, key=start_of)
    for other in pragmas[at:]:
        if other.start >= block.start:
            break
        if not set(live).isdisjoint(view.live(other.start)):
            return False
    return True


def _is_divided(directive: Directive) -> bool:
    """Return True for a sections construct, combined or not."""
    words = (directive.words, *directive.leaves)
    return any(word.split()[-1] == "sections" for word in words)


def _is_read_with(view: FileView | EnclosedView, one: int, other: int) -> bool:
    """Return True if the compiler reads both offsets whenever it reads one of them."""
    if isinstance(view, EnclosedView):
        return view.live(one) == view.live(other)
    return view.times(one) == view.times(other)
