"""What the columns of a region's profile mean, in the words of docs/reference/columns.md."""

from __future__ import annotations

COLUMN_MEANINGS = {
    "execT": "time from entering the construct to leaving it",
    "execC": "how often the thread entered it; of a task, how many it executed",
    "bodyT": "time in the construct's own code, with all that runs inside it",
    "singleT": "time in the block of the single",
    "singleC": "how often this thread was the one",
    "sectT": "time in sections",
    "sectC": "how many sections this thread ran",
    "enterT": "waiting to be let in",
    "exitT": "letting the others in, on the way out",
    "exitBarT": "waiting at the end of the construct for the other threads",
    "mgmtT": "what is left of sections",
    "startupT": "from asking for a team of threads to the thread's start in it",
    "shutdwnT": "from the thread's end in the team to the team's end",
    "taskT": "running tasks while waiting",
    "createT": "making tasks",
    "createC": "how many tasks this thread made",
    "loopT": "time in the taskloop's own tasks, in whichever wait they ran",
    "loopC": "how many of the taskloop's own tasks this thread ran",
    "mpiT": "time in MPI calls",
    "inV": "bytes that MPI calls brought in",
    "outV": "bytes that MPI calls sent out",
    "recvC": "receive operations of MPI",
    "sendC": "send operations of MPI",
    "collC": "collective operations of MPI",
}
