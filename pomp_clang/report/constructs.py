"""The constructs of a source file, and of the headers of its project that it includes, as a
table or as JSON: `pomp-clang list`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pomp_clang.frontend.constructs import Construct
from pomp_clang.frontend.octets import decoded
from pomp_clang.frontend.unit import Note
from pomp_clang.selection.plan import Decision, Entry, Plan


def rows(decided: Plan) -> list[dict[str, object]]:
    """One row a construct of a file, in the order of the text; lines and columns count from 1.

    `kind`, `sub_name`, `file`, `begin_line1` ... as in a report's regions; `clauses`
    is a list of {"name", "argument"}, `argument` null where there are no parentheses;
    `state` and `why` say whether it is instrumented, `estimate` what a call of a function is
    thought to cost (seconds, null where nobody thought of it).
    """
    return [_row(decided, entry) for entry in decided.entries]


def _row(decided: Plan, entry: Entry) -> dict[str, object]:
    construct = entry.construct
    source = decided.constructs.source
    file, line = source.place(construct.begin.start)
    clauses = construct.reading.clauses if construct.reading else ()
    end = construct.block or construct.begin
    return {
        "kind": construct.kind,
        "name": words(construct),
        "sub_name": construct.sub_name,
        "file": file,
        "begin_line1": line,
        "begin_lineN": source.line(construct.begin.end - 1),
        "end_line1": source.line(end.end - 1),
        "end_lineN": source.line(end.end - 1),
        "begin_column": source.column(construct.begin.start),
        "end_column": source.column(end.end - 1),
        "function": construct.home.function,
        "clauses": [_clause(each.name, each.argument) for each in clauses],
        "state": entry.decision.value,
        "why": entry.why,
        "reason": f"pomp-{entry.reason}" if entry.reason else "",
        "estimate": None if entry.nanoseconds is None else entry.nanoseconds * 1e-9,
    }


def _clause(name: str, argument: str | None) -> dict[str, str | None]:
    return {"name": name, "argument": None if argument is None else decoded(argument)}


def words(construct: Construct) -> str:
    """Its directive as OpenMP spells it, or its routine's name."""
    if construct.control is not None:
        return construct.control.control.words
    return construct.routine.name if construct.routine else construct.kind


def as_text(decided: Sequence[Plan]) -> str:
    """The table: where, what, its clauses, what becomes of it; nested ones indented."""
    lines = [line for each in decided for line in _lines(each)]
    widths = [max((len(line[i]) for line in lines), default=0) for i in (0, 1)]
    table = [f"{a:<{widths[0]}}  {b:<{widths[1]}}  {c}" for a, b, c in lines]
    entries = [entry for each in decided for entry in each.entries]
    instrumented = sum(e.decision is Decision.INSTRUMENTED for e in entries)
    functions = sum(e.construct.function is not None for e in entries)
    counted = f"{len(lines) - functions} constructs"
    counted += f" and {functions} functions" if functions else ""
    table.append(f"{counted}, {instrumented} instrumented")
    return "\n".join(table) + "\n"


def _named(construct: Construct) -> str:
    if construct.function is not None:
        return f"{construct.kind} {construct.sub_name}"
    return f"{words(construct)}({construct.sub_name})" if construct.sub_name else words(construct)


def _lines(decided: Plan) -> Iterator[tuple[str, str, str]]:
    for entry, row in zip(decided.entries, rows(decided), strict=True):
        depth = len(decided.constructs.around(entry.construct))
        clauses = entry.construct.reading.clauses if entry.construct.reading else ()
        what = " ".join([_named(entry.construct), *(decoded(str(each)) for each in clauses)])
        first, last = row["begin_line1"], row["end_lineN"]
        place = f"{row['file']}:{first}" if first == last else f"{row['file']}:{first}-{last}"
        state = f"{row['state']}: {row['why']}" if row["why"] else str(row["state"])
        yield place, "  " * depth + what, state


def as_json(decided: Sequence[Plan], notes: tuple[Note, ...]) -> dict[str, object]:
    """The table for programs: {"constructs": [...], "notes": [...]}."""
    return {
        "constructs": [row for each in decided for row in rows(each)],
        "notes": [
            {"file": n.file, "line": n.line, "text": n.text, "reason": f"pomp-{n.reason}"}
            for n in notes
        ],
    }
