"""gcc's dependency files, with originals' names in place of the copies'."""

from __future__ import annotations

import re

COLUMNS = 72  # where gcc breaks a rule's lines

_SPACE = re.compile(r"(?<!\\)(?:[ \t]|\\\n)+")


def munge(path: str) -> str:
    """Return a name as gcc writes it in a rule."""
    while path.startswith("./"):
        path = path[2:].lstrip("/")
    out = []
    for at, char in enumerate(path):
        if char in " \t":
            back = len(path[:at]) - len(path[:at].rstrip("\\"))
            out.append("\\" * back + "\\")
        elif char == "$":
            out.append("$")
        elif char == "#":
            out.append("\\")
        out.append(char)
    return "".join(out)


def restore(text: str, names: dict[str, str]) -> str:
    """Return `text` with the copies' names replaced and its first rule broken as gcc does.

    `names` maps copies to originals. A copy that ends in a slash stands for all names that begin
    with it. A copy without an original is left out.
    """
    quoted = {munge(copy): munge(original) for copy, original in names.items()}
    if not any(copy in text for copy in quoted):
        return text
    rule, newline, rest = _first_rule(text)
    folders = [copy for copy in quoted if copy.endswith("/")]
    words = [_restored(word, quoted, folders) for word in _split(rule)]
    return _wrap([word for word in words if word]) + newline + _replaced(rest, quoted)


def _restored(word: str, quoted: dict[str, str], folders: list[str]) -> str:
    for folder in folders:
        if word.startswith(folder):
            return _named(word, folder, quoted[folder])
    return quoted.get(word, word)


def _replaced(text: str, quoted: dict[str, str]) -> str:
    for copy, original in quoted.items():
        if copy.endswith("/"):
            text = _named(text, copy, original)
        else:
            old, new = (copy, original) if original else (f"{copy}:\n", "")
            text = text.replace(old, new)
    return text


def _named(text: str, folder: str, original: str) -> str:
    """Replace a copy's folder; before a relative name gcc leaves out "./", as `munge` does."""
    prefix = "" if original else r"(?:\./+)*"
    return re.sub(re.escape(folder) + prefix, lambda _: original, text)


def _first_rule(text: str) -> tuple[str, str, str]:
    at = -1
    while True:
        at = text.find("\n", at + 1)
        if at < 0:
            return text, "", ""
        if text[at - 1] != "\\":
            return text[:at], "\n", text[at + 1 :]


def _split(rule: str) -> list[str]:
    return [word for word in _SPACE.split(rule.replace(" \\\n", " ")) if word]


def _wrap(words: list[str]) -> str:
    out: list[str] = []
    column = 0
    targets = True
    for word in words:
        # The colon is written after a target without being measured.
        ends_targets = targets and word.endswith(":")
        size = len(word.encode("utf-8", "surrogateescape")) - (1 if ends_targets else 0)
        if column:
            if column + size > COLUMNS:
                out.append(" \\\n")
                column = 0
            out.append(" ")
            column += 1
        column += size + (1 if ends_targets else 0)
        out.append(word)
        targets = targets and not ends_targets
    return "".join(out)
