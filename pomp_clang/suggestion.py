"""The question whether a misspelled word means a known one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def suggestion(word: str, known: Iterable[str], prefix: str = "") -> str:
    """Return the question whether the known word most like this one was meant, or "".

    All known words begin with the prefix, which does not count.
    """
    from difflib import get_close_matches  # seldom needed: not on the path of a compile

    folded = {name.removeprefix(prefix).casefold(): name for name in known}
    similar = get_close_matches(word.removeprefix(prefix).casefold(), folded, n=1)
    return f" (did you mean {folded[similar[0]]}?)" if similar else ""
