"""Threads' MPI calls: booked at the call path that made them, shown at all paths above it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pomp_clang.experiment.layout import MPI_COLUMNS
from pomp_clang.experiment.model import CallPath, Measured, MpiCalls, MpiProfile
from pomp_clang.experiment.records import Records, Sums

_Profile = dict[tuple[str, int], Measured]
_Calls = dict[tuple[str, int], MpiCalls]

NONE = MpiCalls()

_DIGITS = 7
"""The most digits of numbers of processes, communicators and calls: ten million."""


def number_of(text: str) -> int | None:
    """Return the number of a process, communicator or call; None if the text is not one."""
    return int(text) if text.isdecimal() and len(text) <= _DIGITS else None


def close_open(sums: Sums, end: int) -> None:
    """Book the calls that threads were in when the program ended, or a snapshot was taken."""
    for location in sums.locations.values():
        if location.mpi_since:
            row = sums.mpi.setdefault((location.mpi_path, location.id), [0] * MPI_COLUMNS)
            row[0] += max(0, end - location.mpi_since)


def read_mpi(
    records: Records, sums: Sums, numbers: Mapping[int, str], tids: Mapping[int, int]
) -> MpiProfile | None:
    """Return the MPI calls up to the moment of the sums; None for a process that called no MPI
    function."""
    texts = records.texts
    if not records.mpi and "mpi_rank" not in texts:
        return None
    calls: _Calls = {}
    frequency = records.header.ticks_per_second
    for (path, location), (ticks, *volume, init) in sums.mpi.items():
        if location in tids:
            key = numbers.get(path, ""), tids[location]
            exclusive = replace(MpiCalls(ticks / frequency, *volume), initT=init / frequency)
            calls[key] = calls.get(key, NONE) + exclusive
    return MpiProfile(
        rank=number_of(texts.get("mpi_rank", "")),
        size=number_of(texts.get("mpi_size", "")),
        library=texts.get("mpi_library", ""),
        thread_level=texts.get("mpi_thread_level", ""),
        volume=texts.get("mpi_volume", ""),
        calls=calls,
    )


def by_callpath(profile: _Profile, paths: tuple[CallPath, ...], mpi: MpiProfile) -> _Profile:
    """Return the profile with a thread's calls added at each path that enclosed them."""
    above = {path.id: path.above for path in paths}
    inclusive: _Calls = {}
    for (path, tid), calls in mpi.calls.items():
        at: str | None = path or None
        while at is not None:
            if (at, tid) in profile or at == path:
                inclusive[at, tid] = inclusive.get((at, tid), NONE) + calls
            at = above.get(at)
    return _with_calls(profile, inclusive, mpi.calls)


def by_region(
    profile: _Profile, by_path: _Profile, paths: tuple[CallPath, ...], mpi: MpiProfile
) -> _Profile:
    """Return the profile by region with MPI calls; a visit within another of its region is not
    counted again."""
    known = {path.id: path for path in paths}
    inclusive: _Calls = {}
    exclusive_calls: _Calls = {}
    for (ident, tid), measured in by_path.items():
        path = known[ident]
        calls = _calls_of(measured)
        if not _is_within_itself(path, known):
            inclusive[path.region, tid] = inclusive.get((path.region, tid), NONE) + calls
        exclusive = mpi.calls.get((ident, tid), NONE)
        exclusive_calls[path.region, tid] = (
            exclusive_calls.get((path.region, tid), NONE) + exclusive
        )
    return _with_calls(profile, inclusive, exclusive_calls)


def _with_calls(profile: _Profile, inclusive: _Calls, exclusive: _Calls) -> _Profile:
    extended = dict(profile)
    for key, calls in inclusive.items():
        if calls != NONE:
            extended[key] = replace(
                profile.get(key, Measured()),
                mpiT=calls.mpiT,
                inV=calls.inV,
                outV=calls.outV,
                recvC=calls.recvC,
                sendC=calls.sendC,
                collC=calls.collC,
                mpiOwnT=exclusive.get(key, NONE).mpiT,
            )
    return extended


def _calls_of(measured: Measured) -> MpiCalls:
    return MpiCalls(
        measured.mpiT, measured.inV, measured.outV, measured.recvC, measured.sendC, measured.collC
    )


def _is_within_itself(path: CallPath, known: Mapping[str, CallPath]) -> bool:
    above = known.get(path.above or "")
    while above is not None and above.region != path.region:
        above = known.get(above.above or "")
    return above is not None
