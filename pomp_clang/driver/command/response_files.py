"""Response files, from which gcc and clang read arguments (@file).

On the path of every compiler call: imports nothing.
"""

from __future__ import annotations

# gcc gives up after 2000 files; a file that names itself is cut off likewise.
LIMIT = 2000


def expand(args: list[str]) -> list[str]:
    """Return `args` with every readable @file replaced by its content.

    An unreadable one stays as it is: the compilers take it for an input and report it.
    """
    if not any(arg[:1] == "@" for arg in args):
        return args
    out: list[str] = []
    pending = list(reversed(args))
    budget = LIMIT
    while pending:
        arg = pending.pop()
        if arg[:1] == "@" and len(arg) > 1 and budget:
            budget -= 1
            inner = _read(arg[1:])
            if inner is not None:
                pending.extend(reversed(inner))
                continue
        out.append(arg)
    return out


def _read(path: str) -> list[str] | None:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except (OSError, ValueError):
        return None
    # Names in it are bytes, as on the command line.
    return split(data.decode("utf-8", "surrogateescape"))


def split(text: str) -> list[str]:
    """Split as libiberty's buildargv: blanks separate, '..' and ".." group, \\ escapes.

    A backslash takes the next character literally, within quotes of either
    kind too.
    """
    words: list[str] = []
    word: list[str] | None = None
    quote = ""
    escaped = False
    for char in text:
        if escaped:
            escaped = False
            assert word is not None
            word.append(char)
        elif char == "\\":
            escaped = True
            word = [] if word is None else word
        elif quote:
            if char == quote:
                quote = ""
            else:
                assert word is not None
                word.append(char)
        elif char in "'\"":
            quote = char
            word = [] if word is None else word
        elif char in " \t\n\r\f\v":
            if word is not None:
                words.append("".join(word))
                word = None
        else:
            word = [] if word is None else word
            word.append(char)
    if word is not None:
        words.append("".join(word))
    return words


def join(args: list[str]) -> str:
    """Return the text of a response file that both compilers read back as `args`."""
    return "".join('"' + a.replace("\\", "\\\\").replace('"', '\\"') + '"\n' for a in args)
