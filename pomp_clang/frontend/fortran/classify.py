"""The kind of a Fortran statement, derived from its compact text (Fortran 2018, clauses 5 to 15).

No word is reserved in Fortran. So an assignment is recognized first: a designator, then `=`, and no
comma behind it outside of parentheses (Sale's rule for `DO10I=1.10`).
"""

from __future__ import annotations

import re
from enum import Enum

from pomp_clang.record import record


class StatementKind(Enum):
    """The part that a statement plays in the structure of a program unit."""

    ASSIGNMENT = "assignment"
    DO = "do"
    BLOCK = "block"
    """opens a block of executable statements: if-then, select case, associate"""
    MIDDLE = "middle"
    """divides such a block: else, case"""
    DEFINITION = "definition"
    """opens a type, interface or enumeration in the specification part"""
    END_BLOCK = "end block"
    """ends a loop, a block or a definition"""
    UNIT = "unit"
    CONTAINS = "contains"
    END_UNIT = "end unit"
    ENTRY = "entry"
    ACTION = "action"
    """any other executable statement"""
    ANYWHERE = "anywhere"
    """FORMAT, DATA: stands among specifications and among executable statements"""
    SPECIFICATION = "specification"


@record
class Classified:
    """A statement's kind.

    `keyword` is that of a block, a unit, or an END statement ("" for END alone), or of an
    action. `name` is a unit's name, and `label` that of a labelled DO. `action` is the compact text
    of the statement of a one-line IF, and `prefix` the text before FUNCTION or SUBROUTINE.
    """

    kind: StatementKind
    keyword: str = ""
    name: str = ""
    label: str = ""
    action: str = ""
    prefix: str = ""


_CONSTRUCT_NAME = re.compile(r"[^\W\d]\w*:(?!:)")
_NAME = re.compile(r"[^\W\d]\w*")
_END = re.compile(
    r"end(?P<word>blockdata|submodule|module|program|subroutine|function|procedure|do|if|select"
    r"|where|forall|associate|block|critical|team|interface|type|enum|structure|union|map|)"
    r"(?P<name>.*)\Z"
)
_UNITS = frozenset(
    ("", "blockdata", "submodule", "module", "program", "subroutine", "function", "procedure")
)
_DO = re.compile(r"do(?P<label>\d*),?(?:while\(.*|concurrent\(.*|[^\W\d]\w*=.+,.+)?\Z")
_BLOCKS = re.compile(
    r"(?P<word>select)(?:case|type|rank)\(|(?P<associate>associate)\(|(?P<block>block)\Z"
    r"|(?P<critical>critical)(?:\(|\Z)|(?P<team>change)team\("
)
_MIDDLE = re.compile(r"else|case(?:\(|default)|typeis\(|classis\(|classdefault|rank(?:\(|default)")
_DEFINITIONS = re.compile(
    r"(?:abstract)?(?P<interface>interface)(?:\Z|operator\(|assignment\(|read\(|write\(|[^\W\d]\w*\Z)"
    r"|(?P<type>type)(?:(?:,[^:]*)?::[^\W\d]\w*(?:\(.*\))?\Z|[^\W\d]\w*\Z)"
    r"|(?P<enum>enum),bind|(?P<structure>structure)(?:/|\Z)|(?P<union>union)\Z|(?P<map>map)\Z"
)
_PREFIX = re.compile(
    r"non_recursive|recursive|impure|pure|elemental|module(?!procedure)"
    r"|integer|real|doubleprecision|doublecomplex|complex|logical|character|byte|type(?=\()|class(?=\()"
)
_KIND = re.compile(r"\*\d+|\*(?=\()")
_PROCEDURE = re.compile(r"(?P<word>function|subroutine)(?P<name>[^\W\d]\w*)")
_OTHER_UNITS = re.compile(
    r"(?:impure|pure|elemental|recursive)*module(?P<procedure>procedure)(?P<of>[^\W\d]\w*)\Z"
    r"|(?P<word>program|blockdata|module)(?P<name>[^\W\d]\w*)?\Z"
    r"|(?P<submodule>submodule)\((?P<parent>[^)]*)\)(?P<named>[^\W\d]\w*)\Z"
)
_ACTIONS = re.compile(
    r"(?P<word>call|return|stop|errorstop|goto|continue|read|write|print|open\(|close\(|inquire\("
    r"|rewind|backspace|endfile|flush|wait\(|allocate\(|deallocate\(|nullify\(|cycle|exit|pause"
    r"|assign|sync(?:all|images|memory|team)|eventpost|eventwait|lock\(|unlock\(|failimage|formteam)"
)
_WORD_IN_FREE_FORM = {
    "function": re.compile(r"\bfunction\s", re.I),
    "subroutine": re.compile(r"\bsubroutine\s", re.I),
    "program": re.compile(r"\s*program\s", re.I),
    "module": re.compile(r"\s*module\s", re.I),
}


def closing(text: str, opening: int) -> int:
    """Return the index behind the parenthesis that closes the one at `opening`, or -1."""
    depth = 0
    for at in range(opening, len(text)):
        if text[at] in "([":
            depth += 1
        elif text[at] in ")]":
            depth -= 1
            if depth == 0:
                return at + 1
    return -1


def assigned(compact: str) -> str:
    """Return the designator on the left of an assignment, or "" for another statement."""
    at = 0
    while True:
        name = _NAME.match(compact, at)
        if name is None:
            return ""
        at = name.end()
        while compact[at : at + 1] in ("(", "["):
            at = closing(compact, at)
            if at < 0:
                return ""
        if compact[at : at + 1] != "%":
            break
        at += 1
    if compact[at : at + 1] != "=" or compact[at + 1 : at + 2] == "=":
        return ""
    return compact[:at] if not _has_outer_comma(compact, at) else ""


def _has_outer_comma(compact: str, at: int) -> bool:
    depth = 0
    for character in compact[at:]:
        if character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        elif character == "," and depth == 0:
            return True
    return False


def classify(compact: str, text: str = "", fixed: bool = True) -> Classified:
    """Return the kind of a statement.

    `text` is the statement as written. In free form it tells `real functional(3)` from a function.
    """
    if assigned(compact):
        return Classified(StatementKind.ASSIGNMENT)
    named = _CONSTRUCT_NAME.match(compact)
    if named is not None:
        compact = compact[named.end() :]
        text = text.partition(":")[2]
    return (
        _ending(compact)
        or _block(compact, fixed)
        or _unit(compact, text, fixed)
        or _definition(compact)
        or _action(compact)
    )


def _ending(compact: str) -> Classified | None:
    if not compact.startswith("end") or compact.startswith("endfile"):
        return None
    match = _END.match(compact)
    if match is None or (not match["word"] and match["name"]):
        return None
    kind = StatementKind.END_UNIT if match["word"] in _UNITS else StatementKind.END_BLOCK
    return Classified(kind, match["word"])


def _block(compact: str, fixed: bool) -> Classified | None:
    do = _DO.match(compact)
    if do is not None:
        return Classified(StatementKind.DO, "do", label=do["label"].lstrip("0"))
    if compact.startswith("if("):
        end = closing(compact, 2)
        if end < 0:
            return None
        if compact[end:] == "then":
            return Classified(StatementKind.BLOCK, "if")
        return Classified(StatementKind.ACTION, "if", action=compact[end:])
    for keyword in ("where", "forall"):
        if compact.startswith(keyword + "("):
            end = closing(compact, len(keyword))
            is_whole = end == len(compact)
            return Classified(StatementKind.BLOCK if is_whole else StatementKind.ACTION, keyword)
    match = _BLOCKS.match(compact)
    if match is not None:
        keyword = next(value for value in match.groupdict().values() if value)
        return Classified(StatementKind.BLOCK, "team" if keyword == "change" else keyword)
    if _MIDDLE.match(compact):
        return Classified(StatementKind.MIDDLE, "else" if compact == "else" else "")
    return None


def _unit(compact: str, text: str, fixed: bool) -> Classified | None:
    if compact == "contains":
        return Classified(StatementKind.CONTAINS)
    if compact.startswith("entry") and _NAME.match(compact, 5):
        return Classified(StatementKind.ENTRY)
    at = _after_prefixes(compact)
    match = _PROCEDURE.match(compact, at)
    if match is not None and _is_procedure(match["word"], compact[match.end() :]):
        keyword = match["word"]
        if fixed or not text or _WORD_IN_FREE_FORM[keyword].search(text):
            return Classified(StatementKind.UNIT, keyword, match["name"], prefix=compact[:at])
    other = _OTHER_UNITS.match(compact)
    if other is None:
        return None
    if other["submodule"]:
        return Classified(StatementKind.UNIT, "submodule", other["named"])
    if other["procedure"]:
        prefix = compact[: other.start("procedure")]
        return Classified(StatementKind.UNIT, "procedure", other["of"], prefix=prefix)
    keyword = other["word"]
    pattern = _WORD_IN_FREE_FORM.get(keyword)
    if not fixed and text and pattern is not None and not pattern.match(text):
        return None
    if keyword != "blockdata" and not other["name"]:
        return None
    return Classified(StatementKind.UNIT, keyword, other["name"] or "")


def _is_procedure(keyword: str, rest: str) -> bool:
    """Return True if the text behind a procedure's name belongs to its first statement."""
    if keyword == "function":
        return rest.startswith("(")
    return rest == "" or rest.startswith(("(", "bind("))


def _after_prefixes(compact: str) -> int:
    at = 0
    while True:
        match = _PREFIX.match(compact, at)
        if match is None:
            return at
        at = match.end()
        kind = _KIND.match(compact, at)
        if kind is not None:
            at = kind.end()
        if compact[at : at + 1] == "(":
            end = closing(compact, at)
            if end < 0:
                return at
            at = end


def _definition(compact: str) -> Classified | None:
    match = _DEFINITIONS.match(compact)
    if match is None:
        return None
    keyword = next(value for value in match.groupdict().values() if value)
    return Classified(StatementKind.DEFINITION, keyword)


def _action(compact: str) -> Classified:
    match = _ACTIONS.match(compact)
    if match is not None:
        return Classified(StatementKind.ACTION, match["word"].rstrip("("))
    if compact.startswith(("format(", "data")):
        return Classified(StatementKind.ANYWHERE)
    return Classified(StatementKind.SPECIFICATION)
