"""The records of an OTF2 archive: an anchor file, the definitions, and two files of each location
(definitions and events); and the roles of OpenMP directives in OTF2.

A file is a sequence of chunks, a chunk a head and its records. An event is a timestamp (left out if
it equals the previous one), a type, and for most types the number of bytes that follow. An integer
is stored in as many bytes as it needs, after their number.
"""

from __future__ import annotations

from enum import IntEnum

ANCHOR_MAGIC = b"OTF2\0"
ANCHOR_HEAD = "5B2Q2B2Q"
"""format, trace format, version, event chunk, definition chunk, substrate, compression,
locations, definitions"""
ANCHOR_FORMAT = 3
TRACE_FORMAT = 2
VERSION = (3, 0, 3)
CREATOR = "pomp-clang"

SMALLEST_CHUNK = 256 << 10
LARGEST_CHUNK = 16 << 20
EVENT_CHUNK = 1 << 20

CHUNK_HEAD = "2B2Q"
"""CHUNK_HEADER, byte order, number of its first event, of its last"""
LITTLE, BIG = 0x42, 0x23
CHUNK_HEAD_SIZE = 18
PLAIN_HEAD_SIZE = 2
"""The size of the anchor's head: the first two bytes of a chunk's."""

POSIX = 1
NO_COMPRESSION = 1

UNDEFINED = (1 << 32) - 1
UNDEFINED_BYTE = 0xFF
"""A number of bytes that stands for an undefined integer, all of whose bits are set."""


class Record(IntEnum):
    """A record type that occurs in every kind of file."""

    END_OF_CHUNK = 0
    END_OF_BUFFER = 1
    END_OF_FILE = 2
    CHUNK_HEADER = 3
    TIMESTAMP = 5
    ATTRIBUTES = 6


class Definition(IntEnum):
    CLOCK_PROPERTIES = 5
    PARADIGM = 6
    STRING = 10
    SYSTEM_TREE_NODE = 12
    LOCATION_GROUP = 13
    LOCATION = 14
    REGION = 15
    CALLPATH = 17
    GROUP = 18
    METRIC_MEMBER = 19
    METRIC_CLASS = 20
    COMM = 22
    RMA_WIN = 24
    SYSTEM_TREE_NODE_DOMAIN = 27
    INTER_COMM = 43


class LocalDefinition(IntEnum):
    MAPPING_TABLE = 5
    CLOCK_OFFSET = 6


class Mapping(IntEnum):
    STRING = 0
    LOCATION = 2
    REGION = 3
    GROUP = 4
    COMM = 6
    RMA_WIN = 8


class Event(IntEnum):
    BUFFER_FLUSH = 10
    ENTER = 12
    LEAVE = 13
    MPI_SEND = 14
    MPI_ISEND = 15
    MPI_ISEND_COMPLETE = 16
    MPI_IRECV_REQUEST = 17
    MPI_RECV = 18
    MPI_IRECV = 19
    MPI_REQUEST_CANCELLED = 21
    MPI_COLLECTIVE_BEGIN = 22
    MPI_COLLECTIVE_END = 23
    OMP_FORK = 24
    OMP_JOIN = 25
    OMP_ACQUIRE_LOCK = 26
    OMP_RELEASE_LOCK = 27
    OMP_TASK_CREATE = 28
    OMP_TASK_SWITCH = 29
    OMP_TASK_COMPLETE = 30
    METRIC = 31
    RMA_COLLECTIVE_BEGIN = 37
    RMA_COLLECTIVE_END = 38
    RMA_GROUP_SYNC = 39
    RMA_REQUEST_LOCK = 40
    RMA_ACQUIRE_LOCK = 41
    RMA_TRY_LOCK = 42
    RMA_RELEASE_LOCK = 43
    RMA_SYNC = 44
    RMA_PUT = 46
    RMA_GET = 47
    RMA_ATOMIC = 48
    RMA_COMPLETE = 49
    THREAD_FORK = 53
    THREAD_JOIN = 54
    TEAM_BEGIN = 55
    TEAM_END = 56
    ACQUIRE_LOCK = 57
    RELEASE_LOCK = 58
    TASK_CREATE = 59
    TASK_SWITCH = 60
    TASK_COMPLETE = 61
    PROGRAM_BEGIN = 83
    PROGRAM_END = 84
    COLLECTIVE_REQUEST = 85
    COLLECTIVE_COMPLETE = 86


FIELDS = {
    Event.ENTER: 1,
    Event.LEAVE: 1,
    Event.OMP_FORK: 1,
    Event.OMP_ACQUIRE_LOCK: 2,
    Event.OMP_RELEASE_LOCK: 2,
    Event.OMP_TASK_CREATE: 1,
    Event.OMP_TASK_SWITCH: 1,
    Event.OMP_TASK_COMPLETE: 1,
    Event.METRIC: 3,
    Event.THREAD_FORK: 1,
    Event.TEAM_BEGIN: 1,
    Event.TEAM_END: 1,
    Event.ACQUIRE_LOCK: 2,
    Event.RELEASE_LOCK: 2,
    Event.TASK_CREATE: 3,
    Event.TASK_SWITCH: 3,
    Event.TASK_COMPLETE: 3,
}
"""The number of integers of an event, after its model if it has one.

A metric of one member has the metric, the number of members in a byte, the value's type in a byte,
and the value.  The two bytes read as an integer of one byte, the type."""

MPI_FIELDS = {
    Event.MPI_SEND: 4,
    Event.MPI_ISEND: 5,
    Event.MPI_ISEND_COMPLETE: 1,
    Event.MPI_IRECV_REQUEST: 1,
    Event.MPI_RECV: 4,
    Event.MPI_IRECV: 5,
    Event.MPI_REQUEST_CANCELLED: 1,
    Event.MPI_COLLECTIVE_END: 5,
    Event.RMA_COLLECTIVE_END: 6,
    Event.RMA_GROUP_SYNC: 3,
    Event.RMA_REQUEST_LOCK: 4,
    Event.RMA_ACQUIRE_LOCK: 4,
    Event.RMA_TRY_LOCK: 4,
    Event.RMA_RELEASE_LOCK: 3,
    Event.RMA_SYNC: 3,
    Event.RMA_PUT: 4,
    Event.RMA_GET: 4,
    Event.RMA_ATOMIC: 6,
    Event.RMA_COMPLETE: 2,
    Event.PROGRAM_BEGIN: 2,
    Event.PROGRAM_END: 1,
    Event.COLLECTIVE_REQUEST: 1,
    Event.COLLECTIVE_COMPLETE: 6,
}
"""The number of integers of MPI events, and of a process's begin and end."""

IN_A_BYTE = {
    Event.MPI_COLLECTIVE_END: 0,
    Event.COLLECTIVE_COMPLETE: 0,
    Event.RMA_COLLECTIVE_END: 0,
    Event.RMA_REQUEST_LOCK: 3,
    Event.RMA_ACQUIRE_LOCK: 3,
    Event.RMA_TRY_LOCK: 3,
    Event.RMA_SYNC: 2,
    Event.RMA_ATOMIC: 2,
}
"""The place of the field that is a byte, which has the kind of the event."""

MOST_FIELDS = 6

OF_MODEL = (Event.THREAD_FORK, Event.THREAD_JOIN, Event.ACQUIRE_LOCK, Event.RELEASE_LOCK)
"""Events with a byte before the integers, which is the paradigm."""

OF_NOTHING = (Event.MPI_COLLECTIVE_BEGIN, Event.RMA_COLLECTIVE_BEGIN)
"""Events without fields that have a length nevertheless."""

MPI_WORD = 0xFF
"""A type that OTF2 does not have: the event is a word of a pomp-clang trace already."""

WITHOUT_LENGTH = (*range(12, 14), *range(16, 18), 20, 21, 22, 24, 25, *range(28, 31), 37)
"""Events without a length: a single integer has its own."""


class RegionRole(IntEnum):
    """The role of a region."""

    UNKNOWN = 0
    FUNCTION = 1
    WRAPPER = 2
    LOOP = 3
    CODE = 4
    PARALLEL = 5
    SECTIONS = 6
    SECTION = 7
    WORKSHARE = 8
    SINGLE = 9
    SINGLE_SBLOCK = 10
    MASTER = 11
    CRITICAL = 12
    CRITICAL_SBLOCK = 13
    ATOMIC = 14
    BARRIER = 15
    IMPLICIT_BARRIER = 16
    FLUSH = 17
    ORDERED = 18
    ORDERED_SBLOCK = 19
    TASK = 20
    TASK_CREATE = 21
    TASK_WAIT = 22
    COLLECTIVE_FROM_ONE = 23
    COLLECTIVE_TO_ONE = 24
    COLLECTIVE = 25
    FILE_IO = 27
    MESSAGE = 28
    ACCESS = 29
    DATA_TRANSFER = 30
    ARTIFICIAL = 31
    TASK_UNTIED = 34
    ALLOCATE = 35
    DEALLOCATE = 36


class GroupType(IntEnum):
    COMM_LOCATIONS = 4
    """the locations that ranks are of, by these"""
    COMM_GROUP = 5
    """of such ranks"""
    COMM_SELF = 6


PROCESS = 1
"""The type of a location group that is a process."""

ACCELERATOR = 2
"""The type of a location group that is a device, and of a location that is a stream of one."""

ROOT_IS_SELF = (1 << 32) - 2


class ValueType(IntEnum):
    UINT64 = 4
    INT64 = 8
    DOUBLE = 10


class Paradigm(IntEnum):
    USER = 1
    COMPILER = 2
    OPENMP = 3
    MPI = 4
    MEASUREMENT_SYSTEM = 6


ROLES = {
    "function": RegionRole.FUNCTION,
    "region": RegionRole.CODE,
    "lock": RegionRole.WRAPPER,
    "parallel": RegionRole.PARALLEL,
    "taskloop": RegionRole.TASK_WAIT,
    "task": RegionRole.TASK,
    "taskwait": RegionRole.TASK_WAIT,
    "taskgroup": RegionRole.TASK_WAIT,
    "sections": RegionRole.SECTIONS,
    "single": RegionRole.SINGLE,
    "workshare": RegionRole.WORKSHARE,
    "critical": RegionRole.CRITICAL,
    "ordered": RegionRole.ORDERED,
    "master": RegionRole.MASTER,
    "masked": RegionRole.MASTER,
    "atomic": RegionRole.ATOMIC,
    "barrier": RegionRole.BARRIER,
    "flush": RegionRole.FLUSH,
    "for": RegionRole.LOOP,
    "do": RegionRole.LOOP,
    "loop": RegionRole.LOOP,
    "simd": RegionRole.LOOP,
    "distribute": RegionRole.LOOP,
}
"""The role of a directive is the one of its first word listed here; without such a word it is code."""

BLOCKS = {
    "sections": RegionRole.SECTION,
    "single": RegionRole.SINGLE_SBLOCK,
    "critical": RegionRole.CRITICAL_SBLOCK,
    "ordered": RegionRole.ORDERED_SBLOCK,
}

IMPLICIT_BARRIER = "implicit barrier"
MAKING = "create tasks"
WAIT = "wait for tasks"
TASK = "task"
"""The names of a construct's parts."""
