"""The layout of an experiment file: runtime/src/location/format.h and docs/reference/experiment-format.md in
Python."""

from __future__ import annotations

from enum import IntEnum, IntFlag

FILE_NAME = "profile.pomp"
MAGIC = b"POMPEXP\n"
VERSION = 2
BYTE_ORDER = 0x01020304

HEADER = "8s4I5Q2qQQQ"
"""magic, byte order, version, header size, state, records' end, ticks per second, start,
end, start by the wall clock, pid, forked from, lost, folded, dropped snapshots"""

BY_CALLPATH = 2
"""From this version on sums are a call path's; before, a region's."""

STATE_ENDED = 1

RECORD = "IIQ"
TEXT = "II"
REGION = "II6i6I"
LOCATION = "IiiIQQQ"
UNRECORDED = "QQ"
"""Follows a location, if the record is long enough: the number of events that its trace had no room
for, and when the first of them was."""

CUT = "QQ"
"""Follows UNRECORDED: the last joined team whose end the location did not record, and when."""

MPI_OPEN = "QII"
"""Follows CUT, if the record is long enough: the begin of the MPI call that the thread is in, its
call path, and the call path of `ARRIVED`."""

ARRIVED = "3Q8x"
"""Follows MPI_OPEN, if the record is long enough: the team at whose region's end the location arrived
last, when, and the ticks of tasks that it ran there."""

RAN = "Q"
"""Follows ARRIVED, if the record is long enough: nanoseconds of the location's threads on a processor,
0 if unknown."""

QUEUED = "Q"
"""Follows RAN, if the record is long enough: nanoseconds that these threads waited for a processor, 0
if unknown."""

TEAM_MASTER_SHIFT = 40
"""A team's number has its master's location + 1 in the bits from here."""

JOINED = "3Q"
"""Follows QUEUED, if the record is long enough: the newest team that the location joined as its master,
when, and when all members had arrived at the region's end, 0 if unknown."""

PROFILE = "4I"
STACK = "4I"
FRAME = "IBBHQQ"
FRAME_AWAY = "QQ"
"""Follows a frame, if the entries are large enough: a field of the process's own, and another.  The
other is the ticks that the frame passes on to those beneath (with `FrameFlag.AWAY`), or a worker's
team (of `FrameKind.PARALLEL`)."""

FRAME_PATH = "II"
"""Follows FRAME_AWAY: a field of the process's own, and the call path."""

PATHS = "4I"
PATH = "II"
PATH_TASK = 0x80000000
"""The bit of a path's region that runs there as a task."""

HELD = "4I"
HELD_LOCK = "QIIQ"

SNAPSHOT = "IIQIIQ2Q"
"""number, cause, when, unsettled locations; records follow."""

COSTS = "6Q", "4Q", "7Q", "Q"
"""The number of visits in a trial, and their ticks: pair, its part within, step, parallel, its part
within.  Later versions add groups: atomic and critical; master, task creation, task, wait; an atomic
update alone."""

MOST_METRICS = 64

SOON = 0.01
"""Seconds: a thread that tries to get a lock again within these waits for it meanwhile."""

MPI_COLUMNS = 7
"""Ticks in MPI, bytes in and out, receives, sends, collective operations, ticks in MPI_Init and
MPI_Finalize, a part of the first."""

FEWEST_MPI_COLUMNS = 6
"""Those of earlier versions."""

TARGET = "II"
"""rows in use, size of a row; rows follow"""

TARGET_ROW = "IiQQQ"
"""call path, device, address on the host (0: all of the call path, 1: further addresses), bytes of the
largest transfer or allocation there, a field of the process's own; values follow"""

TARGET_NAME = "64s"
"""Follows the values of a row: the name of the variable at the address, ended by a NUL."""

TARGET_COLUMNS = (
    "targetC", "targetT", "deferC", "deviceC", "deviceT", "launchC", "oneTeamC", "kernelT",
    "toC", "toV", "toT", "fromC", "fromV", "fromT", "allocC", "allocV", "allocT",
    "deleteC", "deleteT", "againC", "againV", "againT", "roundC", "roundV", "roundT",
    "sameC", "sameV", "sameT",
)  # fmt: skip
"""The values of a row: fields of `TargetActivity`."""

DEVICE = "IIQQ"
"""intervals in use, size of an interval, intervals lost, a field of the process's own; intervals
follow"""

DEVICE_INTERVAL = "QQQQIiIHHII"
"""begin, end, address on the host, bytes, call path, device, location, operation, whether the end is
an upper bound, teams asked for, unused"""

ITERATIONS = "4I2Qq2IQ"
"""location, region, execution, bins in use, begin, end, lowest bin, shift, folding, iterations that
went backwards; bins of ticks and a count follow."""

MOST_ITERATION_BINS = 1 << 20

SNAPSHOT_CAUSES = ("call", "interval", "signal")


class RecordType(IntEnum):
    PAD = 0
    TEXT = 1
    REGION = 2
    LOCATION = 3
    PROFILE = 4
    STACK = 5
    HELD = 6
    PATHS = 7
    SNAPSHOT = 8
    COSTS = 9
    COUNTERS = 10
    MPI = 11
    ITERATIONS = 12
    TARGET = 13
    DEVICE = 14


class Column(IntEnum):
    """A sum of a region on a location: C are counts, T are ticks."""

    EXEC_C = 0
    BODY_C = 1
    EXEC_T = 2
    BODY_T = 3
    ENTER_T = 4
    EXIT_T = 5
    EXIT_BAR_T = 6
    STARTUP_T = 7
    SHUTDWN_T = 8
    TASK_T = 9
    AGAIN_T = 10
    CREATE_C = 11
    CREATE_T = 12
    INNER_T = 13
    CHUNK_C = 14
    CHUNK_T = 15
    SERIAL_T = 16

    @property
    def field(self) -> str:
        """The field of `model.Measured` that has the sum, if one does: exitBarT of EXIT_BAR_T."""
        first, *rest = self.name.split("_")
        return first.lower() + "".join(map(str.capitalize, rest))


COLUMNS = len(Column)
FEWEST_COLUMNS = 10
"""A file may have fewer columns than `COLUMNS`, or more; no fewer than this."""
OWN_COLUMNS = 4
"""The last columns of a row are the process's own, from version `BY_CALLPATH` on."""


class FrameKind(IntEnum):
    USER = 2
    FORK = 6
    PARALLEL = 7
    WAIT = 8
    CREATE = 9
    TASK = 11


class FrameFlag(IntFlag):
    MUTED = 1
    MASTER = 2
    AWAY = 4
    INNER = 8
    SUSPENDS = 16
    SWITCHED = 32
