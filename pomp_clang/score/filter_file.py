"""A selection as a filter file, as `--pomp-filter` and Score-P read it."""

from __future__ import annotations

from collections.abc import Collection

from pomp_clang.report.wording import percent
from pomp_clang.score.forecast import Forecast, Score
from pomp_clang.selection.filter import Filter, Named
from pomp_clang.selection.patterns import escaped


def as_filter(score: Score, left_out: Collection[str], forecast: Forecast) -> str:
    """The rules that leave these functions out, the costliest first."""
    excluded = [each for each in score.candidates if each.name in left_out]
    lines = [
        f"# {forecast.functions} of {len(score.candidates)} functions are measured;",
        f"# forecast: {percent(forecast.overhead)} % overhead, "
        f"{percent(forecast.explained)} % of the functions' time explained",
        "SCOREP_REGION_NAMES_BEGIN",
        *(f"  EXCLUDE {escaped(each.name)}  # {each.visits} visits" for each in excluded),
        "SCOREP_REGION_NAMES_END",
    ]
    return "\n".join(lines) + "\n"


def excluded_by(rules: Filter, score: Score) -> frozenset[str]:
    """The functions that a filter leaves out.  A run knows names alone, no parameters, and not
    what the linker calls them."""
    return frozenset(each.name for each in score.candidates if _excludes(rules, score, each.name))


def _excludes(rules: Filter, score: Score, name: str) -> bool:
    regions = next(each.regions for each in score.candidates if each.name == name)
    verdicts = [
        rules.verdict(Named("function", (name,), "", (name,), region.file, region.begin_line1))
        for region in regions
    ]
    return all(verdict is not None and not verdict.includes for verdict in verdicts)
