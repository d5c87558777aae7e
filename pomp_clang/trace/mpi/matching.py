"""The operations of all processes -> messages, and collective operations."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.actions import Actions, ordinals, paired
from pomp_clang.trace.mpi.columns import (
    NONE,
    Calls,
    Collectives,
    Communicator,
    Messages,
    OneSided,
)
from pomp_clang.trace.mpi.groups import Groups
from pomp_clang.trace.mpi.layout import ITSELF, Role, State
from pomp_clang.trace.mpi.scale import Scale

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Told(Actions):
    """Of all processes: calls are the job's rows, `group`, `rank` and `tag` the job's; `own` is
    who did it."""

    own: Ints


def told(
    actions: Actions, groups: Groups, own: int, first_call: int, first_thread: int, scale: Scale
) -> Told:
    """One process's; times are those of its clock."""
    rank = groups.translate(actions.group, actions.rank)
    rooted = actions.role == Role.GATHERS
    root = np.where(actions.tag == ITSELF, own, groups.translate(actions.group, actions.tag))
    return Told(
        actions.role,
        actions.state,
        actions.begun + first_call,
        np.where(actions.completed >= 0, actions.completed + first_call, NONE),
        groups.numbers(actions.group),
        np.where(rooted, NONE, actions.tag),
        np.where(rooted, root, rank),
        actions.in_parts,
        actions.bytes_out,
        actions.bytes_in,
        actions.prepared,
        actions.told + first_call,
        actions.thread + first_thread,
        scale.straight(actions.time),
        np.full(len(actions.role), own),
    )


def together(parts: list[Told]) -> Told:
    """The rows of all processes, one process's behind the other's."""
    none = np.zeros(0, np.int64)
    return Told(
        *(np.concatenate([none, *(getattr(p, each.name) for p in parts)]) for each in fields(Told))
    )


def _numbered(*columns: Ints) -> Ints:
    """A number for each that differs in any."""
    number = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        _, place = np.unique(column, return_inverse=True)
        number = number * (int(place.max(initial=0)) + 1) + place.reshape(-1)
        _, number = np.unique(number, return_inverse=True)
        number = number.reshape(-1)
    return number


def messages_of(all_: Told, calls: Calls) -> tuple[Messages, int, int]:
    """And how many sends, and receives, had no counterpart."""
    sends = _of_channel(all_, Role.SENDS)
    receives = _of_channel(all_, Role.RECEIVES)
    rows = np.concatenate([sends, receives])
    is_send = np.arange(len(rows)) < len(sends)
    own, rank = all_.own[rows], all_.rank[rows]
    channel = _numbered(
        all_.group[rows], np.where(is_send, own, rank), np.where(is_send, rank, own),
        all_.tag[rows], all_.in_parts[rows],
    )  # fmt: skip
    order = _in_order(all_, rows, channel, calls, is_send)
    of_send, of_receive = order[is_send[order]], order[~is_send[order]]
    match = paired(channel[of_send], channel[of_receive], rows[of_receive])
    sent, got = rows[of_send][match >= 0], match[match >= 0]
    arrived = all_.state[got] != State.LOST
    messages = Messages(
        all_.begun[sent],
        all_.completed[sent],
        all_.begun[got],
        np.where(arrived, all_.completed[got], NONE),
        all_.group[sent],
        all_.tag[sent],
        np.maximum(all_.bytes_out[sent], all_.bytes_in[got]),
    )
    by_send = np.argsort(messages.send, kind="stable")
    messages = Messages(*(getattr(messages, name)[by_send] for name in Messages.__slots__))
    return messages, len(sends) - len(sent), len(receives) - len(got)


def _of_channel(all_: Told, role: Role) -> Ints:
    """Those that take part in matching: that are to or from somebody, and were not cancelled."""
    takes = (all_.role == role) & (all_.state != State.CANCELLED)
    takes &= (all_.rank >= 0) & (all_.group > 0) & (all_.tag >= 0)
    return np.flatnonzero(takes)


def _in_order(all_: Told, rows: Ints, channel: Ints, calls: Calls, is_send: Flags) -> Ints:
    """As MPI keeps it: that of posting.  Where several threads are at one end of a channel nobody
    knows that order; then those that arrived first are taken for those that were sent first."""
    when = all_.time[rows]
    thread = all_.thread[rows]
    ends = channel * 2 + is_send
    lowest = np.full(2 * (int(channel.max(initial=0)) + 1), np.iinfo(np.int64).max)
    highest = np.full(len(lowest), NONE)
    np.minimum.at(lowest, ends, thread)
    np.maximum.at(highest, ends, thread)
    many = np.flatnonzero((highest > lowest).reshape(-1, 2).sum(axis=1))
    late = np.isin(channel, many) & ~is_send & (all_.completed[rows] >= 0)
    arrived = calls.leave[np.where(late, all_.completed[rows], 0)] if len(calls.leave) else when
    return np.lexsort((np.arange(len(rows)), np.where(late, arrived, when), all_.own[rows]))


def collectives_of(
    all_: Told, calls: Calls, communicators: tuple[Communicator, ...]
) -> tuple[Collectives, int]:
    """And how many operations there were of which somebody's part is missing."""
    rows = np.flatnonzero((all_.role == Role.GATHERS) & (all_.group > 0))
    rows = rows[np.lexsort((np.arange(len(rows)), all_.time[rows]))]
    own, group, prepared = all_.own[rows], all_.group[rows], all_.prepared[rows]
    ordinal = ordinals(_numbered(own, group, prepared))
    instance = _numbered(group, prepared, ordinal)
    sizes = np.array([0, *(len(c.members) + len(c.remote) for c in communicators)], np.int64)
    count = np.bincount(instance, minlength=1)
    whole = np.equal(count[instance], sizes[group])
    missing = len(np.unique(instance[~whole]))
    rows, instance = rows[whole], instance[whole]
    order = np.lexsort((all_.own[rows], instance))
    rows, instance = rows[order], _numbered(instance[order])
    root = np.full(int(instance.max(initial=0)) + 1, NONE)
    np.maximum.at(root, instance, all_.rank[rows])
    return Collectives(
        instance,
        all_.begun[rows],
        all_.completed[rows],
        all_.group[rows],
        root[instance],
        all_.own[rows],
        all_.bytes_out[rows],
        all_.bytes_in[rows],
        calls.function[all_.told[rows]],
    ), missing


def one_sided_of(all_: Told) -> OneSided:
    """In the order of the calls that began them; only those whose window is known."""
    rows = np.flatnonzero((all_.role == Role.ACCESSES) & (all_.group > 0))
    rows = rows[np.argsort(all_.begun[rows], kind="stable")]
    moved = all_.bytes_out[rows] + all_.bytes_in[rows]
    exclusive = all_.tag[rows] > 0
    return OneSided(all_.begun[rows], all_.group[rows], all_.rank[rows], moved, exclusive)
