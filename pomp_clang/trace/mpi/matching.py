"""Messages and collective operations, matched from the operations of all processes."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.actions import ProcessActions, ordinals, paired
from pomp_clang.trace.mpi.clocks import Scale
from pomp_clang.trace.mpi.columns import (
    NONE,
    CallColumns,
    CollectiveColumns,
    Communicator,
    MessageColumns,
    OneSidedColumns,
)
from pomp_clang.trace.mpi.groups import Groups
from pomp_clang.trace.mpi.layout import ITSELF, OperationRole, OperationState

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class JobActions(ProcessActions):
    """The operations of all processes: calls, `group`, `rank` and `tag` are numbered as the job's;
    `own_rank` is the rank of the process."""

    own_rank: Ints


def job_actions(
    actions: ProcessActions,
    groups: Groups,
    own_rank: int,
    first_call: int,
    first_thread: int,
    scale: Scale,
) -> JobActions:
    """Convert a process's operations to the job's numbers; times are those of its uncorrected
    clock."""
    rank = groups.translate(actions.group, actions.rank)
    rooted = actions.role == OperationRole.GATHERS
    root = np.where(actions.tag == ITSELF, own_rank, groups.translate(actions.group, actions.tag))
    return JobActions(
        actions.role,
        actions.state,
        actions.begin_call + first_call,
        np.where(actions.completed >= 0, actions.completed + first_call, NONE),
        groups.numbers(actions.group),
        np.where(rooted, NONE, actions.tag),
        np.where(rooted, root, rank),
        actions.in_parts,
        actions.bytes_out,
        actions.bytes_in,
        actions.prepared,
        actions.naming + first_call,
        actions.thread + first_thread,
        scale.straight(actions.time),
        np.full(len(actions.role), own_rank),
    )


def concatenated(parts: list[JobActions]) -> JobActions:
    """Join the rows of all processes."""
    none = np.zeros(0, np.int64)
    return JobActions(
        *(
            np.concatenate([none, *(getattr(p, field.name) for p in parts)])
            for field in fields(JobActions)
        )
    )


def _numbered(*columns: Ints) -> Ints:
    """Return a number for each row, equal for rows that are equal in all columns."""
    number = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        _, place = np.unique(column, return_inverse=True)
        number = number * (int(place.max(initial=0)) + 1) + place.reshape(-1)
        _, number = np.unique(number, return_inverse=True)
        number = number.reshape(-1)
    return number


def messages_of(all_: JobActions, calls: CallColumns) -> tuple[MessageColumns, int, int]:
    """Match sends and receives; return the messages, and the numbers of sends and of receives
    without a partner."""
    sends = _of_channel(all_, OperationRole.SENDS)
    receives = _of_channel(all_, OperationRole.RECEIVES)
    rows = np.concatenate([sends, receives])
    is_send = np.arange(len(rows)) < len(sends)
    sender, rank = all_.own_rank[rows], all_.rank[rows]
    channel = _numbered(
        all_.group[rows], np.where(is_send, sender, rank), np.where(is_send, rank, sender),
        all_.tag[rows], all_.in_parts[rows],
    )  # fmt: skip
    order = _in_order(all_, rows, channel, calls, is_send)
    of_send, of_receive = order[is_send[order]], order[~is_send[order]]
    match = paired(channel[of_send], channel[of_receive], rows[of_receive])
    sent, received = rows[of_send][match >= 0], match[match >= 0]
    arrived = all_.state[received] != OperationState.LOST
    messages = MessageColumns(
        all_.begin_call[sent],
        all_.completed[sent],
        all_.begin_call[received],
        np.where(arrived, all_.completed[received], NONE),
        all_.group[sent],
        all_.tag[sent],
        np.maximum(all_.bytes_out[sent], all_.bytes_in[received]),
    )
    by_send = np.argsort(messages.send, kind="stable")
    messages = MessageColumns(
        *(getattr(messages, name)[by_send] for name in MessageColumns.__slots__)
    )
    return messages, len(sends) - len(sent), len(receives) - len(received)


def _of_channel(all_: JobActions, role: OperationRole) -> Ints:
    """Return the rows that take part in matching: with a peer, and not canceled."""
    takes = (all_.role == role) & (all_.state != OperationState.CANCELLED)
    takes &= (all_.rank >= 0) & (all_.group > 0) & (all_.tag >= 0)
    return np.flatnonzero(takes)


def _in_order(
    all_: JobActions, rows: Ints, channel: Ints, calls: CallColumns, is_send: Flags
) -> Ints:
    """Sort rows as MPI matches them: in the order of posting.

    With several threads at one end of a channel that order is unknown; then receives are sorted by
    arrival.
    """
    time = all_.time[rows]
    thread = all_.thread[rows]
    ends = channel * 2 + is_send
    lowest = np.full(2 * (int(channel.max(initial=0)) + 1), np.iinfo(np.int64).max)
    highest = np.full(len(lowest), NONE)
    np.minimum.at(lowest, ends, thread)
    np.maximum.at(highest, ends, thread)
    many = np.flatnonzero((highest > lowest).reshape(-1, 2).sum(axis=1))
    late = np.isin(channel, many) & ~is_send & (all_.completed[rows] >= 0)
    arrived = calls.leave[np.where(late, all_.completed[rows], 0)] if len(calls.leave) else time
    return np.lexsort((np.arange(len(rows)), np.where(late, arrived, time), all_.own_rank[rows]))


def collectives_of(
    all_: JobActions, calls: CallColumns, communicators: tuple[Communicator, ...]
) -> tuple[CollectiveColumns, int]:
    """Match the parts of collective operations; return them, and the number of incomplete
    operations."""
    rows = np.flatnonzero((all_.role == OperationRole.GATHERS) & (all_.group > 0))
    rows = rows[np.lexsort((np.arange(len(rows)), all_.time[rows]))]
    process, group, prepared = all_.own_rank[rows], all_.group[rows], all_.prepared[rows]
    ordinal = ordinals(_numbered(process, group, prepared))
    instance = _numbered(group, prepared, ordinal)
    sizes = np.array([0, *(len(c.members) + len(c.remote) for c in communicators)], np.int64)
    count = np.bincount(instance, minlength=1)
    is_complete = np.equal(count[instance], sizes[group])
    missing = len(np.unique(instance[~is_complete]))
    rows, instance = rows[is_complete], instance[is_complete]
    order = np.lexsort((all_.own_rank[rows], instance))
    rows, instance = rows[order], _numbered(instance[order])
    root = np.full(int(instance.max(initial=0)) + 1, NONE)
    np.maximum.at(root, instance, all_.rank[rows])
    return CollectiveColumns(
        instance,
        all_.begin_call[rows],
        all_.completed[rows],
        all_.group[rows],
        root[instance],
        all_.own_rank[rows],
        all_.bytes_out[rows],
        all_.bytes_in[rows],
        calls.function[all_.naming[rows]],
    ), missing


def one_sided_of(all_: JobActions) -> OneSidedColumns:
    """Return the calls on known windows, in the order of the calls."""
    rows = np.flatnonzero((all_.role == OperationRole.ACCESSES) & (all_.group > 0))
    rows = rows[np.argsort(all_.begin_call[rows], kind="stable")]
    moved = all_.bytes_out[rows] + all_.bytes_in[rows]
    exclusive = all_.tag[rows] > 0
    return OneSidedColumns(
        all_.begin_call[rows], all_.group[rows], all_.rank[rows], moved, exclusive
    )
