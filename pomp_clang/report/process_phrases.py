"""Sentences and short forms for a job's processes: ranks as ranges, the spread of many values,
which stands for a row of each, and how similar the processes are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from pomp_clang.analysis.job import JobProfile
from pomp_clang.analysis.job.process_similarity import MPI, OPENMP, WORK, Likeness, ProcessRange
from pomp_clang.analysis.properties import lasting
from pomp_clang.report.phrases import TIME_PARTS, number, percent

_MOST = 8
"""The number of ranges that are written out."""


def ranks_text(ranks: Iterable[int], limit: int = _MOST) -> str:
    """Write ranks as "0-3, 7, 12-299"; of many ranges the first, and the number of remaining
    ranks."""
    ranges: list[list[int]] = []
    for rank in sorted(ranks):
        if ranges and ranges[-1][1] == rank - 1:
            ranges[-1][1] = rank
        else:
            ranges.append([rank, rank])
    texts = [_range(first, last) for first, last in ranges[:limit]]
    rest = sum(last - first + 1 for first, last in ranges[limit:])
    return ", ".join([*texts, *([f"{rest} more"] if rest else [])])


def _range(first: int, last: int) -> str:
    if first == last:
        return str(first)
    return f"{first}, {last}" if last == first + 1 else f"{first}-{last}"


def spread_rows(rows: Iterable[Sequence[float]]) -> list[tuple[str, tuple[float, ...]]]:
    """Return a labeled row each of the least, median, mean and largest value of every column."""
    columns = tuple(zip(*rows, strict=True))
    return [
        ("min", tuple(map(min, columns))),
        ("median", tuple(map(median, columns))),
        ("mean", tuple(map(fmean, columns))),
        ("max", tuple(map(max, columns))),
    ]


NAMES = {WORK: "the work", OPENMP: "OpenMP (overheads and idle threads)", MPI: "MPI"}

_SEEN = 0.01
"""Smallest share of their time by which processes differ notably."""


@dataclass(frozen=True, slots=True)
class _RankPhrases:
    job: JobProfile

    def rank(self, place: int) -> int:
        return self.job.processes[place].rank

    def range(self, subject: ProcessRange) -> str:
        minimum, maximum = self.rank(subject.minimum_at), self.rank(subject.maximum_at)
        return f"{lasting(subject.minimum)} (rank {minimum}) to {lasting(subject.maximum)} (rank {maximum})"


def sentences(job: JobProfile, similarity: Likeness) -> list[str]:
    """Describe how similar the processes are; the first sentence is the verdict."""
    if len(job.processes) < 2:
        return ["There is one process."]
    sentences_ = [_verdict(job, similarity)]
    if similarity.furthest[0] >= _SEEN:
        sentences_.append(_subject(_RankPhrases(job), similarity))
        sentences_ += _exchanged(_RankPhrases(job), similarity)
    return sentences_


def _verdict(job: JobProfile, similarity: Likeness) -> str:
    share, place = similarity.furthest
    rank, typical = job.processes[place].rank, job.processes[similarity.groups[0].example].rank
    count = number(len(job.processes), "process")
    if similarity.are_similar:
        return (
            f"The {count} behave alike: no part of their time and no region differs by more than "
            f"{percent(share)} % of the time from rank {typical}'s, the most typical one."
        )
    return (
        f"The {count} do not behave alike: from rank {typical}, the most typical one, rank {rank} "
        f"differs by {percent(share)} % of the time in one part or region; there are "
        f"{number(len(similarity.groups), 'group')} of those that behave alike."
    )


def _subject(phrases: _RankPhrases, similarity: Likeness) -> str:
    first, *rest = sorted(similarity.subjects, key=lambda name: -similarity.subjects[name].width)
    others = " and ".join(
        f"{NAMES[name]} by {lasting(similarity.subjects[name].width)}" for name in rest
    )
    most_different = similarity.subjects[first]
    return (
        f"What differs most is {NAMES[first]}: {phrases.range(most_different)}, by {lasting(most_different.width)}; "
        f"{others}."
    )


def _exchanged(phrases: _RankPhrases, similarity: Likeness) -> list[str]:
    if (
        similarity.exchange is None
        or similarity.subjects[MPI].width < _SEEN * similarity.longest_total
    ):
        return []
    name = next(part.name.lower() for part in TIME_PARTS if part.key == similarity.exchange.part)
    return [
        f"Where there is more MPI there is less {name}: together they are "
        f"{phrases.range(similarity.exchange.both)}, MPI alone {phrases.range(similarity.subjects[MPI])}. "
        "Who has less of the one waits in the other."
    ]
