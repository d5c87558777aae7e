"""The constructs of a source file, and of the headers of its project that it includes, as a
table or as JSON: `pomp-clang list`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pomp_clang.frontend.constructs import Construct
from pomp_clang.frontend.source import decoded
from pomp_clang.frontend.unit import Note
from pomp_clang.selection.plan import Decision, InstrumentationPlan, PlanEntry


def rows(decided: InstrumentationPlan) -> list[dict[str, object]]:
    """List a row per construct of a file, in the order of the text; lines and columns count from 1.

    `kind`, `sub_name`, `file`, `begin_line1` ... are as in a report's regions; `clauses` is a list
    of {"name", "argument"}, `argument` null without parentheses; `state` and `why` tell if it is
    instrumented, `estimate` is the estimated cost of a function call (seconds, null without an
    estimate). `included_from` has the places of each inclusion of a header within a function.
    """
    return [_row(decided, entry) for entry in decided.entries]


def _row(decided: InstrumentationPlan, entry: PlanEntry) -> dict[str, object]:
    construct = entry.construct
    source = decided.constructs.source
    first = source.origin(construct.begin.start)
    clauses = construct.reading.clauses if construct.reading else ()
    last = construct.extent.end - 1
    closing = construct.end_directive
    return {
        "kind": construct.kind,
        "name": words(construct),
        "sub_name": construct.sub_name,
        "file": first[0],
        "begin_line1": first[1],
        "begin_lineN": source.origin_line(construct.begin.end - 1, first),
        "end_line1": source.origin_line(closing.start if closing else last, first),
        "end_lineN": source.origin_line(last, first),
        "begin_column": source.column(construct.begin.start),
        "end_column": source.column(last),
        "function": construct.declaration_site.function,
        "clauses": [_clause(clause.name, clause.argument) for clause in clauses],
        "state": entry.decision.value,
        "why": entry.why,
        "reason": f"pomp-{entry.reason}" if entry.reason else "",
        "included_from": [
            [{"file": file, "line": line} for file, line in places]
            for n in construct.readings
            if (places := decided.constructs.enclosures[n].places)
        ],
        "estimate": None if entry.nanoseconds is None else entry.nanoseconds * 1e-9,
    }


def _clause(name: str, argument: str | None) -> dict[str, str | None]:
    return {"name": name, "argument": None if argument is None else decoded(argument)}


def words(construct: Construct) -> str:
    """Return the directive as OpenMP spells it, or the name of the routine."""
    if construct.control is not None:
        return construct.control.control.words
    return construct.routine.name if construct.routine else construct.kind


def as_text(decided: Sequence[InstrumentationPlan]) -> str:
    """Format the table: place, construct with clauses, state; nested constructs are indented."""
    lines = [line for plan in decided for line in _lines(plan)]
    widths = [max((len(line[i]) for line in lines), default=0) for i in (0, 1)]
    table = [f"{a:<{widths[0]}}  {b:<{widths[1]}}  {c}" for a, b, c in lines]
    entries = [entry for plan in decided for entry in plan.entries]
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


def _lines(decided: InstrumentationPlan) -> Iterator[tuple[str, str, str]]:
    for entry, row in zip(decided.entries, rows(decided), strict=True):
        depth = len(decided.constructs.around(entry.construct))
        clauses = entry.construct.reading.clauses if entry.construct.reading else ()
        clauses_text = " ".join(
            [_named(entry.construct), *(decoded(str(clause)) for clause in clauses)]
        )
        first, last = row["begin_line1"], row["end_lineN"]
        place = f"{row['file']}:{first}" if first == last else f"{row['file']}:{first}-{last}"
        state = f"{row['state']}: {row['why']}" if row["why"] else str(row["state"])
        number = len(entry.construct.readings)
        state += f", in {number} inclusions" if number > 1 else ""
        yield place, "  " * depth + clauses_text, state


def as_json(decided: Sequence[InstrumentationPlan], notes: tuple[Note, ...]) -> dict[str, object]:
    """Return the table for programs: {"constructs": [...], "notes": [...]}."""
    return {
        "constructs": [row for plan in decided for row in rows(plan)],
        "notes": [
            {"file": n.file, "line": n.line, "text": n.text, "reason": f"pomp-{n.reason}"}
            for n in notes
        ],
    }
