"""Sentences on the similarity of a job's processes."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.analysis.job import JobProfile
from pomp_clang.analysis.job.process_similarity import MPI, OPENMP, WORK, Likeness, ProcessRange
from pomp_clang.analysis.properties import lasting
from pomp_clang.report.phrases import number, percent
from pomp_clang.report.time_parts import PARTS

NAMES = {WORK: "the work", OPENMP: "OpenMP (overheads and idle threads)", MPI: "MPI"}

_SEEN = 0.01
"""Smallest share of their time by which processes differ notably."""


@dataclass(frozen=True, slots=True)
class _RankPhrases:
    job: JobProfile

    def rank(self, place: int) -> int:
        return self.job.processes[place].rank

    def range(self, subject: ProcessRange) -> str:
        least, most = self.rank(subject.least_at), self.rank(subject.most_at)
        return f"{lasting(subject.least)} (rank {least}) to {lasting(subject.most)} (rank {most})"


def sentences(job: JobProfile, like: Likeness) -> list[str]:
    """Describe how similar the processes are; the first sentence is the verdict."""
    if len(job.processes) < 2:
        return ["There is one process."]
    sentences_ = [_verdict(job, like)]
    if like.furthest[0] >= _SEEN:
        sentences_.append(_subject(_RankPhrases(job), like))
        sentences_ += _exchanged(_RankPhrases(job), like)
    return sentences_


def _verdict(job: JobProfile, like: Likeness) -> str:
    share, place = like.furthest
    rank, typical = job.processes[place].rank, job.processes[like.groups[0].example].rank
    count = number(len(job.processes), "process")
    if like.alike:
        return (
            f"The {count} behave alike: no part of their time and no region differs by more than "
            f"{percent(share)} % of the time from rank {typical}'s, the most typical one."
        )
    return (
        f"The {count} do not behave alike: from rank {typical}, the most typical one, rank {rank} "
        f"differs by {percent(share)} % of the time in one part or region; there are "
        f"{number(len(like.groups), 'group')} of those that behave alike."
    )


def _subject(phrases: _RankPhrases, like: Likeness) -> str:
    first, *rest = sorted(like.subjects, key=lambda name: -like.subjects[name].width)
    others = " and ".join(f"{NAMES[name]} by {lasting(like.subjects[name].width)}" for name in rest)
    most = like.subjects[first]
    return (
        f"What differs most is {NAMES[first]}: {phrases.range(most)}, by {lasting(most.width)}; "
        f"{others}."
    )


def _exchanged(phrases: _RankPhrases, like: Likeness) -> list[str]:
    if like.exchange is None or like.subjects[MPI].width < _SEEN * like.whole:
        return []
    name = next(part.name.lower() for part in PARTS if part.key == like.exchange.part)
    return [
        f"Where there is more MPI there is less {name}: together they are "
        f"{phrases.range(like.exchange.both)}, MPI alone {phrases.range(like.subjects[MPI])}. "
        "Who has less of the one waits in the other."
    ]
