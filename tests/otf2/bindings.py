"""An archive of three processes, written by OTF2's Python bindings: bindings.py FOLDER.

Times are milliseconds; test_processes.py has the expected waits, computed by hand.
"""

from __future__ import annotations

import sys
from typing import Any

import otf2
from otf2.enums import CollectiveOp, GroupType, LockType, Paradigm, RmaSyncLevel

ROOT_NONE = 0xFFFFFFFF
LEVEL = RmaSyncLevel.PROCESS
RANKS = range(3)


class Job:
    def __init__(self, trace: Any) -> None:
        self.known = known = trace.definitions
        self.regions: dict[str, Any] = {}
        node = known.system_tree_node("node")
        locations = []
        for rank in RANKS:
            process = known.location_group(f"process {rank}", system_tree_parent=node)
            locations.append(known.location("Master thread", group=process))
        self.writers = [trace.event_writer_from_location(location) for location in locations]
        group = self.group
        group(GroupType.COMM_LOCATIONS, tuple(locations))
        self.world = known.comm("MPI_COMM_WORLD", group=group(GroupType.COMM_GROUP, (0, 1, 2)))
        self.pair = known.comm("pair", group=group(GroupType.COMM_GROUP, (2, 0)))
        self.window = known.rma_win("window", comm=self.world)
        self.only = [group(GroupType.COMM_GROUP, (rank,)) for rank in RANKS]

    def group(self, type_: Any, members: tuple[Any, ...]) -> Any:
        return self.known.group("", group_type=type_, paradigm=Paradigm.MPI, members=members)

    def call(
        self, rank: int, name: str, enter: int, leave: int, *events: tuple[str, int, Any]
    ) -> None:
        """Write a call; `events` are an event's name, its time and fields."""
        region = self.regions.get(name)
        if region is None:
            region = self.known.region(f"MPI_{name}", paradigm=Paradigm.MPI)
            self.regions[name] = region
        writer = self.writers[rank]
        writer.enter(enter, region)
        for event, time, fields in events:
            getattr(writer, event)(time, *fields)
        writer.leave(leave, region)

    def together(
        self, name: str, op: Any, comm: Any, root: int, *parts: tuple[int, int, int]
    ) -> None:
        for rank, enter, leave in parts:
            end = (op, comm, root, 8, 16)
            self.call(
                rank, name, enter, leave,
                ("mpi_collective_begin", enter, ()), ("mpi_collective_end", leave, end),
            )  # fmt: skip


def write(job: Job) -> None:
    call, world, pair, window = job.call, job.world, job.pair, job.window
    call(0, "Send", 200, 210, ("mpi_send", 201, (1, world, 5, 64)))
    call(1, "Recv", 100, 300, ("mpi_recv", 299, (0, world, 5, 64)))

    call(2, "Irecv", 300, 301, ("mpi_irecv_request", 300, (77,)))
    call(2, "Irecv", 302, 303, ("mpi_irecv_request", 302, (78,)))
    call(2, "Wait", 310, 420, ("mpi_irecv", 420, (1, pair, 6, 100, 77)))
    call(2, "Cancel", 421, 422, ("mpi_request_cancelled", 422, (78,)))
    call(0, "Isend", 400, 401, ("mpi_isend", 400, (0, pair, 6, 100, 77)))
    call(0, "Wait", 401, 402, ("mpi_isend_complete", 402, (77,)))

    barrier = (0, 500, 570), (1, 530, 570), (2, 560, 570)
    job.together("Barrier", CollectiveOp.BARRIER, world, ROOT_NONE, *barrier)
    job.together("Bcast", CollectiveOp.BCAST, pair, 0, (0, 600, 650), (2, 640, 645))
    for rank in RANKS:
        at = 700 + 10 * rank
        call(rank, "Iallreduce", at, at + 1, ("non_blocking_collective_request", at, (5,)))
        operation = (CollectiveOp.ALLREDUCE, world, ROOT_NONE, 4, 4, 5)
        call(rank, "Wait", at + 5, 730, ("non_blocking_collective_complete", 730, operation))

    for rank, enter in ((0, 800), (1, 820), (2, 840)):
        end = (CollectiveOp.BARRIER, LEVEL, window, ROOT_NONE, 0, 0)
        call(
            rank, "Win_fence", enter, 850,
            ("rma_collective_begin", enter, ()), ("rma_collective_end", 850, end),
        )  # fmt: skip
    call(0, "Win_post", 950, 951, ("rma_group_sync", 950, (LEVEL, window, job.only[1])))
    call(0, "Win_wait", 952, 960, ("rma_group_sync", 960, (LEVEL, window, job.only[1])))
    call(1, "Win_start", 900, 901, ("rma_group_sync", 900, (LEVEL, window, job.only[0])))
    call(1, "Put", 902, 955, ("rma_put", 902, (window, 0, 32, 1)))
    call(1, "Win_complete", 956, 957, ("rma_group_sync", 957, (LEVEL, window, job.only[0])))

    for rank, acquired, unlocked, over in (
        (1, (1000, 1001), 1040, 1050),
        (2, (1010, 1055), 1060, 1061),
    ):
        lock = (window, 0, 0, LockType.EXCLUSIVE)
        call(
            rank, "Win_lock", *acquired,
            ("rma_request_lock", acquired[0], lock), ("rma_acquire_lock", acquired[1], lock),
        )  # fmt: skip
        call(rank, "Win_unlock", unlocked, over, ("rma_release_lock", over, lock[:3]))


def main(folder: str) -> None:
    with otf2.writer.open(folder, timer_resolution=1000) as trace:
        write(Job(trace))


if __name__ == "__main__":
    main(sys.argv[1])
