"""The lines of a Fortran text, joined with their continuation lines, in fixed and in free form.

Fortran 2018, section 6.3; OpenMP 5.2, section 5.1 (directives) and 3.3 (conditional compilation).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from pomp_clang.frontend.source import SourceText, decoded
from pomp_clang.frontend.unit import SourceForm
from pomp_clang.record import record, replace

_LINE = re.compile(r"[^\n]*\n?")
_QUOTE_OR_COMMENT = re.compile(r"['\"!]")
_FIXED_DIRECTIVE = re.compile(r"[!cC*]\$(p?omp)", re.I)
_FIXED_CONDITIONAL = re.compile(r"(?:[!cC*]\$|!p\$)(?=[ \t\d])", re.I)
_FREE_DIRECTIVE = re.compile(r"[ \t]*(!\$(p?omp)(?=[\s&]|\Z))", re.I)
_FREE_CONDITIONAL = re.compile(r"[ \t]*(!p?\$(?=[ \t&]))", re.I)
_LABEL = re.compile(r"[ \t]*(\d+)")
_BLANKS = re.compile(r"[ \t]*")


@record
class LogicalLine:
    """A line with its continuation lines, joined without comments.

    `sentinel` is "omp" or "pomp" for a directive, "" for statements. `pieces` has (index in `text`,
    offset in the file) of each joined part. `start` is where the first line begins, `end` where
    the line behind the last one begins, `stop` the end of the last line's own characters.
    """

    sentinel: str
    text: str
    pieces: tuple[tuple[int, int], ...]
    start: int
    end: int
    stop: int
    label: str = ""
    label_at: int = 0
    """the offset of the label in fixed form"""
    conditional: str = ""
    """the sentinel of conditional compilation as written, or \"\""""
    fixed: bool = False

    def offset(self, index: int) -> int:
        """Return the offset in the file of a character of the joined text."""
        piece, at = self.pieces[bisect_right(self.pieces, (index, 1 << 60)) - 1]
        return at + index - piece


@record
class _Part:
    """The text of one line, from `begin` up to `stop` in the file."""

    begin: int
    stop: int
    start: int
    next_line: int
    sentinel: str = ""
    continues: bool = False
    joined: bool = True
    """whether nothing separates it from the text that it continues"""
    label: str = ""
    label_at: int = 0
    conditional: str = ""
    is_open: bool = False
    """whether it ends in &, in free form"""


def logical_lines(text: str, form: SourceForm, conditional: bool = True) -> Iterator[LogicalLine]:
    """Yield the statements' lines and the directives of a text, in its order.

    `conditional` tells if the compiler reads the lines of conditional compilation as code.
    """
    parts = _fixed(text, form.columns, conditional) if form.fixed else _free(text, conditional)
    pending: list[_Part] = []
    for part in parts:
        if pending and not part.continues:
            yield _joined(text, pending, form.fixed)
            pending = []
        pending.append(part)
    if pending:
        yield _joined(text, pending, form.fixed)


def _joined(text: str, parts: list[_Part], fixed: bool) -> LogicalLine:
    pieces: list[tuple[int, int]] = []
    texts: list[str] = []
    length = 0
    for part in parts:
        if not part.joined and texts:
            texts.append(" ")
            length += 1
        pieces.append((length, part.begin))
        texts.append(text[part.begin : part.stop])
        length += part.stop - part.begin
    first, last = parts[0], parts[-1]
    if last.is_open and first.sentinel:
        texts.append(" &")  # no line continues the directive, and compilers refuse it
    return LogicalLine(
        first.sentinel,
        "".join(texts),
        tuple(pieces),
        first.start,
        last.next_line,
        _stop(text, last.start, last.next_line),
        first.label,
        first.label_at,
        first.conditional,
        fixed,
    )


def _stop(text: str, start: int, end: int) -> int:
    """Return where the characters of a line end."""
    return start + len(text[start:end].rstrip("\r\n"))


def _code_end(text: str, start: int, end: int, quote: str) -> tuple[int, str]:
    """Return where a comment or the line ends, and the quote of a literal that is open there."""
    at = start
    while True:
        if quote:
            closing = text.find(quote, at, end)
            if closing < 0:
                return end, quote
            at, quote = closing + 1, ""
            continue
        match = _QUOTE_OR_COMMENT.search(text, at, end)
        if match is None:
            return end, ""
        if match.group() == "!":
            return match.start(), ""
        quote, at = match.group(), match.end()


def _fixed(text: str, columns: int, conditional: bool) -> Iterator[_Part]:
    quote = ""
    previous: _Part | None = None
    for line in _LINE.finditer(text):
        start, next_line = line.span()
        stop = _stop(text, start, next_line)
        part = _fixed_part(text, start, stop, next_line, columns, conditional)
        if part is None:
            continue
        if part.continues and (previous is None or previous.sentinel != part.sentinel):
            continue
        code_end, quote = _code_end(text, part.begin, part.stop, quote if part.continues else "")
        if not part.continues and not text[part.begin : code_end].strip() and not part.sentinel:
            continue
        filled = columns > 0 and previous is not None and previous.stop - previous.start >= columns
        # A line that ends before the last column ends in blanks, which end a word of a directive.
        previous = replace(part, stop=max(part.begin, code_end), joined=filled)
        yield previous


def _fixed_part(
    text: str, start: int, stop: int, next_line: int, columns: int, conditional: bool
) -> _Part | None:
    """Return the part that a line in fixed form is, or None for a comment."""
    limit = min(stop, start + columns) if columns else stop
    first = text[start : start + 1]
    if first in ("", "#", "\n", "\r"):
        return None
    directive = _FIXED_DIRECTIVE.match(text, start, limit)
    if directive is not None:
        at = directive.end()
        continues = text[at : at + 1] not in ("", " ", "0", "\t") and at < limit
        begin = min(at + 1, limit)
        return _Part(begin, limit, start, next_line, directive[1].lower(), continues)
    condition = _FIXED_CONDITIONAL.match(text, start, limit)
    if condition is not None and conditional and _is_initial(text, condition.end(), start):
        return _fixed_code(text, start, limit, next_line, condition.group())
    if first in "cC*!dD":
        return None
    blanks = _BLANKS.match(text, start)
    assert blanks is not None
    if blanks.end() >= stop or (text[blanks.end()] == "!" and blanks.end() - start != 5):
        return None
    return _fixed_code(text, start, limit, next_line, "")


def _is_initial(text: str, at: int, start: int) -> bool:
    """Return True if blanks or the digits of a label follow a sentinel up to column 6."""
    return all(c in " \t0123456789" for c in text[at : start + 5].partition("\t")[0])


def _fixed_code(text: str, start: int, limit: int, next_line: int, condition: str) -> _Part | None:
    field = start + len(condition)
    tab = text.find("\t", field, min(start + 6, limit))
    if tab >= 0:
        continues = text[tab + 1 : tab + 2] in tuple("123456789")
        begin, label_end = tab + 1 + continues, tab
    else:
        continues = limit > start + 5 and text[start + 5] not in " 0"
        begin, label_end = min(start + 6, limit), min(start + 5, limit)
    label = _LABEL.match(text, field, label_end)
    number = "".join(text[field:label_end].split())
    return _Part(
        begin,
        limit,
        start,
        next_line,
        "",
        continues,
        True,
        number.lstrip("0") if number.isdigit() and label else "",
        label.start(1) if label else field,
        condition,
    )


def _free(text: str, conditional: bool) -> Iterator[_Part]:
    quote = ""
    open_for: str | None = None  # the sentinel of a line that ends in &
    for line in _LINE.finditer(text):
        start, next_line = line.span()
        stop = _stop(text, start, next_line)
        read = _free_begin(text, start, stop, conditional)
        if read is None or (open_for == "" and read[0]):
            continue
        sentinel, condition, begin = read
        continues = open_for is not None and open_for == sentinel
        if not continues:
            quote = ""
            if sentinel and text[begin : begin + 1] == "&":
                continue  # it continues nothing, and compilers take it for a comment
        at, joined = begin, False
        if continues:
            blanks = _BLANKS.match(text, begin)
            assert blanks is not None
            if text[blanks.end() : blanks.end() + 1] == "&":
                at, joined = blanks.end() + 1, True
        code_end, quote = _code_end(text, at, stop, quote)
        code_end = at + len(text[at:code_end].rstrip())
        if code_end <= at and not (sentinel and not continues):
            continue
        open_for = None
        if text[code_end - 1] == "&" and code_end > at:
            code_end -= 1
            open_for = sentinel
        else:
            quote = ""
        yield _Part(
            at, code_end, start, next_line, sentinel, continues, joined,
            conditional=condition, is_open=open_for is not None,
        )  # fmt: skip


def _free_begin(text: str, start: int, stop: int, conditional: bool) -> tuple[str, str, int] | None:
    """Return sentinel, conditional sentinel and begin of the text; None for a comment."""
    if text[start : start + 1] == "#":
        return None
    blanks = _BLANKS.match(text, start)
    assert blanks is not None
    if blanks.end() >= stop:
        return None
    if text[blanks.end()] != "!":
        return "", "", start
    directive = _FREE_DIRECTIVE.match(text, start)
    if directive is not None:
        return directive[2].lower(), "", directive.end()
    condition = _FREE_CONDITIONAL.match(text, start)
    if condition is not None and conditional:
        return "", condition[1], condition.end()
    return None


_MARKER = re.compile(r'^#(?:[ \t]*line)?[ \t]+(\d+)[ \t]+"((?:[^"\\\n]|\\.)*)"', re.M)


class FortranSourceText(SourceText):
    """The text of a unit, with `# line "file"` markers."""

    def line_directives(self) -> Iterator[tuple[int, int, str]]:
        """Yield the line of each marker, the number and the file that it gives the line behind
        it."""
        line, at = 1, 0
        for match in _MARKER.finditer(self.text):
            line += self.text.count("\n", at, match.start())
            at = match.start()
            yield line, int(match[1]), decoded(match[2])
