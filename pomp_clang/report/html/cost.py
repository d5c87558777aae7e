"""What the measurement cost, on the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.perturbation import Perturbation
from pomp_clang.analysis.properties import lasting
from pomp_clang.experiment.model import Region
from pomp_clang.report.text_perturbation import MOST, distorted, others, sentences
from pomp_clang.report.wording import percent


@dataclass(frozen=True, slots=True)
class Row:
    region: Region
    own: str
    within: str
    percent: str


@dataclass(frozen=True, slots=True)
class Costs:
    sentences: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...]


def cost_view(cost: Perturbation, named: Mapping[str, Region], subtracted: bool) -> Costs:
    rows = []
    for each in distorted(cost)[:MOST]:
        part = percent(share(each.within, each.execT))
        said = lasting(each.own), lasting(each.within), part
        rows.append(Row(named[each.region.id], *said))
    return Costs(tuple(sentences(cost, subtracted)), tuple(rows), tuple(others(cost)))
