"""Changes of a source's text that compilers read the same, or refuse: bytes, lines, tokens."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

Change = Callable[[Random, bytes], bytes]

_TRIGRAPHS = {b"#": b"??=", b"{": b"??<", b"}": b"??>", b"[": b"??(", b"]": b"??)"}
_DIGRAPHS = {b"#": b"%:", b"{": b"<%", b"}": b"%>", b"[": b"<:", b"]": b":>"}


def crlf(_random: Random, text: bytes) -> bytes:
    return text.replace(b"\n", b"\r\n")


def mixed_line_ends(random: Random, text: bytes) -> bytes:
    return b"".join(
        line + (b"\r" if random.random() < 0.3 else b"") + b"\n" for line in text.split(b"\n")
    )


def byte_order_mark(_random: Random, text: bytes) -> bytes:
    return b"\xef\xbb\xbf" + text


def no_final_newline(_random: Random, text: bytes) -> bytes:
    return text.rstrip(b"\n")


def tabs(_random: Random, text: bytes) -> bytes:
    return text.replace(b"  ", b"\t")


def trigraphs(random: Random, text: bytes) -> bytes:
    return _spelled(random, text, _TRIGRAPHS)


def digraphs(random: Random, text: bytes) -> bytes:
    return _spelled(random, text, _DIGRAPHS)


def _spelled(random: Random, text: bytes, table: dict[bytes, bytes]) -> bytes:
    return re.sub(rb"[#{}\[\]]", lambda m: table[m[0]] if random.random() < 0.5 else m[0], text)


def spliced(random: Random, text: bytes) -> bytes:
    """Splice lines within tokens, with blanks behind some backslashes."""
    places = sorted(random.sample(range(len(text) + 1), min(4, len(text))), reverse=True)
    for at in places:
        text = text[:at] + random.choice((b"\\\n", b"\\\n", b"\\ \n", b"\\\r\n")) + text[at:]
    return text


def not_utf8(random: Random, text: bytes) -> bytes:
    piece = random.choice((b"// \xff\xfe caf\xe9\n", b"/* \x80 */\n", b"! \xe9\n"))
    return text + piece if random.random() < 0.5 else piece + text


def unicode_names(_random: Random, text: bytes) -> bytes:
    return re.sub(rb"\bsum\b", "süm".encode(), text)


def unicode_comment(random: Random, text: bytes) -> bytes:
    lines = text.split(b"\n")
    at = random.randrange(len(lines))
    return b"\n".join([*lines[:at], "/* ünï — ✓ 数 */".encode(), *lines[at:]])


def truncated(random: Random, text: bytes) -> bytes:
    return text[: random.randrange(len(text) + 1)]


def token_removed(random: Random, text: bytes) -> bytes:
    tokens = re.findall(rb"\w+|\s+|[^\w\s]", text)
    if tokens:
        del tokens[random.randrange(len(tokens))]
    return b"".join(tokens)


def token_twice(random: Random, text: bytes) -> bytes:
    tokens = re.findall(rb"\w+|\s+|[^\w\s]", text)
    at = random.randrange(max(1, len(tokens)))
    return b"".join([*tokens[: at + 1], *tokens[at:]])


def odd_byte(random: Random, text: bytes) -> bytes:
    at = random.randrange(len(text) + 1)
    return (
        text[:at] + random.choice((b"\0", b"\f", b"\v", b"\x1a", b"\x7f", b"`", b"@")) + text[at:]
    )


def long_line(random: Random, text: bytes) -> bytes:
    lines = text.split(b"\n")
    at = random.randrange(len(lines))
    lines[at] += b" " * 5000 + b"/*" + b"x" * 20000 + b"*/"
    return b"\n".join(lines)


def many_lines(random: Random, text: bytes) -> bytes:
    return b"\n" * random.randint(1000, 70000) + text


def carriage_returns(_random: Random, text: bytes) -> bytes:
    return text.replace(b"\n", b"\r")


def empty(_random: Random, _text: bytes) -> bytes:
    return b""


def comment_only(_random: Random, _text: bytes) -> bytes:
    return b"/* #pragma omp parallel */"


def twice(_random: Random, text: bytes) -> bytes:
    return text + text


CHANGES: tuple[tuple[Change, int], ...] = (
    (crlf, 5), (mixed_line_ends, 2), (byte_order_mark, 3), (no_final_newline, 4), (tabs, 4),
    (trigraphs, 2), (digraphs, 3), (spliced, 5), (not_utf8, 4), (unicode_names, 3),
    (unicode_comment, 3), (truncated, 4), (token_removed, 5), (token_twice, 4), (odd_byte, 3),
    (long_line, 2), (many_lines, 1), (carriage_returns, 1), (empty, 2), (comment_only, 1),
    (twice, 1),
)  # fmt: skip


def spoiled(random: Random, text: bytes) -> bytes:
    """Return a text, mostly as it is, with one or two of the changes else."""
    if random.random() < 0.72:
        return text
    changes = random.choices(
        [change for change, _ in CHANGES],
        [weight for _, weight in CHANGES],
        k=random.randint(1, 2),
    )
    for change in changes:
        text = change(random, text)
    return text
