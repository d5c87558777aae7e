"""Man pages from the reference pages of the verbs: Markdown in, roff out.

    python man/man_pages.py docs/reference/verbs OUTPUT_FOLDER

A page begins with a title and one sentence, which become the section NAME.  Tables become lists: the
first column is the tag, the others its text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

_MARKS = {
    "strong_open": r"\fB",
    "em_open": r"\fI",
    "strong_close": r"\fP",
    "em_close": r"\fP",
    "softbreak": " ",
    "hardbreak": " ",
    "link_open": "",
    "link_close": "",
}
_VERB = re.compile(r"([\w-]+)\.md")


def man_page(verb: str) -> str:
    return verb if verb == "pomp-clang" else f"pomp-clang-{verb}"


def escape(text: str) -> str:
    """Return the text as roff shows it literally."""
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("`", r"\(ga")
    return re.sub(r"^\.", r"\\&.", text, flags=re.M)


def inline(token: Token) -> str:
    """Return one line of roff: code and strong text in bold, emphasis underlined.

    A link to another verb becomes the name of its man page, any other link its text.
    """
    parts, linked = [], False
    for child in token.children or ():
        page = _VERB.fullmatch(str(child.attrGet("href")))
        if linked:
            linked = child.type != "link_close"
        elif page:
            parts.append(rf"\fB{escape(man_page(page[1]))}\fP(1)")
            linked = True
        elif child.type in _MARKS:
            parts.append(_MARKS[child.type])
        elif child.type == "text":
            parts.append(escape(child.content))
        elif child.type == "code_inline":
            parts.append(rf"\fB{escape(child.content)}\fP")
        else:
            raise ValueError(f"{child.type} has no form in a man page")
    return "".join(parts)


def cells(tokens: list[Token]) -> Iterator[list[str]]:
    """Yield the rows of a table's body."""
    body, row = False, list[str]()
    for token in tokens:
        if token.type == "tbody_open":
            body = True
        elif token.type == "tr_open":
            row = []
        elif token.type == "inline":
            row.append(inline(token))
        elif token.type == "tr_close" and body:
            yield row


def render(text: str, version: str) -> str:
    """Return the man page of one Markdown page."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    title, sentence = tokens[1].content, inline(tokens[4])
    name = title.replace(" ", "-")
    lines = [
        f'.TH "{name.upper()}" "1" "" "pomp\\-clang {version}" "pomp\\-clang"',
        ".ad l",
        ".nh",
        ".SH NAME",
        rf"{escape(name)} \- {sentence}",
    ]
    at = 6
    while at < len(tokens):
        token = tokens[at]
        match token.type:
            case "heading_open":
                request = ".SH" if token.tag == "h2" else ".SS"
                heading = inline(tokens[at + 1])
                lines.append(f"{request} {heading.upper() if token.tag == 'h2' else heading}")
                at += 2
            case "paragraph_open":
                lines += [".PP", inline(tokens[at + 1])]
                at += 2
            case "fence":
                code = escape(token.content.rstrip("\n"))
                lines += [".PP", ".RS 4", ".nf", code, ".fi", ".RE"]
            case "table_open":
                end = next(k for k in range(at, len(tokens)) if tokens[k].type == "table_close")
                for tag, *rest in cells(tokens[at:end]):
                    lines += [".TP", tag, "; ".join(cell for cell in rest if cell)]
                at = end
            case other:
                raise ValueError(f"{name}: {other} has no form in a man page")
        at += 1
    return "\n".join(lines) + "\n"


def main(source: Path, target: Path, version: str) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for page in sorted(source.glob("*.md")):
        text = render(page.read_text(encoding="utf-8"), version)
        (target / f"{man_page(page.stem)}.1").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "")
