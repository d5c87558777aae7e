"""The documentation names what the code says to people."""

import re
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
INSTRUMENTATION = (REPOSITORY / "docs" / "instrumentation.md").read_text()

_REASONS = (
    r'_say\([^;]*?"([a-z]+(?:-[a-z]+)*)"\s*\)',
    r'Note\([^()]*(?:\([^()]*\)[^()]*)*"([a-z]+(?:-[a-z]+)*)"\)',
    r'reason(?:: str)? = "([a-z]+(?:-[a-z]+)*)"',
    r'reason="([a-z]+(?:-[a-z]+)*)"',
    r'return [^\n]*, "([a-z]+(?:-[a-z]+)*)"$',
    r'obstacle(?: |=\()[^\n]*, "([a-z]+(?:-[a-z]+)*)"',
    r'_(?:note|untouched)\([^;]*?"([a-z]+(?:-[a-z]+)*)"\)',
)


def reasons() -> set[str]:
    """The tags of the notes that the driver, the frontend and the plan can make."""
    found: set[str] = set()
    for folder in ("driver", "frontend", "selection", "rewrite"):
        for path in (REPOSITORY / "pomp_clang" / folder).glob("*.py"):
            for pattern in _REASONS:
                found |= set(re.findall(pattern, path.read_text(), re.M))
    return found


def test_every_reason_of_a_note_is_documented() -> None:
    documented = set(re.findall(r"pomp-([a-z-]+)", INSTRUMENTATION))
    assert {"metadirective", "macro", "header", "rejected", "no-call"} <= reasons()
    assert reasons() <= documented
