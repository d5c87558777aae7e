"""A selection as a filter file, as `--pomp-filter` and Score-P read it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pomp_clang.report.wording import percent
from pomp_clang.score.forecast import Candidate, Forecast, Score
from pomp_clang.selection.filter import Filter, Named
from pomp_clang.selection.patterns import escaped


def as_filter(score: Score, left_out: Collection[str], forecast: Forecast) -> str:
    """The rules that leave these out, the costliest first."""
    excluded = [each for each in score.candidates if each.key in left_out]
    functions = [each for each in excluded if each.construct is None]
    constructs = [each for each in excluded if each.construct is not None]
    lines = [
        f"# {forecast.functions} of {len(score.functions)} functions and "
        f"{forecast.constructs} of {len(score.constructs)} constructs are measured;",
        f"# forecast: {percent(forecast.overhead)} % overhead, "
        f"{percent(forecast.explained)} % of the functions' time explained",
        "SCOREP_REGION_NAMES_BEGIN",
        *(f"  EXCLUDE {escaped(each.name)}  # {each.visits} visits" for each in functions),
        "SCOREP_REGION_NAMES_END",
    ]
    if constructs:
        lines += ["POMP_RULES_BEGIN", *map(_rule, constructs), "POMP_RULES_END"]
    return "\n".join(lines) + "\n"


def _rule(each: Candidate) -> str:
    """By its place: which of its kind it is can only be told where all functions were measured."""
    region = each.regions[0]
    words = [f"construct={region.kind.replace(' ', '_')}"]
    if region.sub_name:
        words.append(f"name={escaped(region.sub_name)}")
    words += [f"file={escaped(region.file)}", f"lines={region.begin_line1}"]
    return f"  EXCLUDE {' '.join(words)}  # {each.visits} visits"


def excluded_by(rules: Filter, score: Score) -> frozenset[str]:
    """What a filter leaves out.  A run knows names alone, no parameters, and not what the linker
    calls functions."""
    return frozenset(each.key for each in score.candidates if _excludes(rules, each))


def _excludes(rules: Filter, each: Candidate) -> bool:
    verdicts = [rules.verdict(named) for named in _named(each)]
    return all(verdict is not None and not verdict.includes for verdict in verdicts)


def _named(each: Candidate) -> Iterator[Named]:
    names, spot = (each.name,), each.construct
    for region in each.regions:
        place = region.file, region.begin_line1
        if spot is None:
            yield Named("function", names, "", names, *place, 1, names)
        else:
            inner = spot.functions[:1]
            own = (region.sub_name,)
            yield Named(region.kind, own, "", spot.functions, *place, spot.nth, inner)
