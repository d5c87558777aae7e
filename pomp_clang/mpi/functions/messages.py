"""Messages between two processes, and the requests of all operations."""

from __future__ import annotations

from pomp_clang.mpi.function import MpiFunction

_SENT = "const void *buf, N count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm"
_SEND = "send(dest, count, datatype)"
_FORMS = ("I", "init")

FUNCTIONS = (
    MpiFunction("Send", _SENT, _SEND, _FORMS),
    MpiFunction("Bsend", _SENT, _SEND, _FORMS),
    MpiFunction("Ssend", _SENT, _SEND, _FORMS),
    MpiFunction("Rsend", _SENT, _SEND, _FORMS),
    MpiFunction(
        "Recv",
        "void *buf, N count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, "
        "MPI_Status *status",
        "receive()",
        _FORMS,
    ),
    MpiFunction(
        "Mrecv",
        "void *buf, N count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status",
        "receive()",
        ("I",),
    ),
    MpiFunction(
        "Sendrecv",
        "const void *sendbuf, N sendcount, MPI_Datatype sendtype, int dest, int sendtag, "
        "void *recvbuf, N recvcount, MPI_Datatype recvtype, int source, int recvtag, "
        "MPI_Comm comm, MPI_Status *status",
        "send(dest, sendcount, sendtype) receive()",
        ("I",),
    ),
    MpiFunction(
        "Sendrecv_replace",
        "void *buf, N count, MPI_Datatype datatype, int dest, int sendtag, int source, "
        "int recvtag, MPI_Comm comm, MPI_Status *status",
        "send(dest, count, datatype) receive()",
        ("I",),
    ),
    MpiFunction(
        "Psend_init",
        "const void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest, "
        "int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request",
        "send_parts(dest, partitions, count, datatype)",
        persistent=True,
    ),
    MpiFunction(
        "Precv_init",
        "void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source, "
        "int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request",
        "receive_parts(source, partitions, count, datatype)",
        persistent=True,
    ),
    MpiFunction("Pready", "int partition, MPI_Request request"),
    MpiFunction("Pready_range", "int partition_low, int partition_high, MPI_Request request"),
    MpiFunction("Pready_list", "int length, const int partitions[], MPI_Request request"),
    MpiFunction("Pready_list", "int length, int partitions[], MPI_Request request"),
    MpiFunction("Parrived", "MPI_Request request, int partition, int *flag"),
    MpiFunction("Probe", "int source, int tag, MPI_Comm comm, MPI_Status *status"),
    MpiFunction("Iprobe", "int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status"),
    MpiFunction(
        "Mprobe",
        "int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status",
        after="probed(&call, 1, comm, message, status)",
    ),
    MpiFunction(
        "Improbe",
        "int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status",
        after="probed(&call, *flag, comm, message, status)",
    ),
    MpiFunction("Buffer_attach", "void *buffer, N size"),
    MpiFunction("Buffer_detach", "void *buffer_addr, N *size"),
    MpiFunction("Get_count", "const MPI_Status *status, MPI_Datatype datatype, N *count"),
    MpiFunction("Start", "MPI_Request *request", after="activate(&call, request, 1)"),
    MpiFunction(
        "Startall",
        "int count, MPI_Request requests[]",
        after="activate(&call, requests, count)",
    ),
    MpiFunction("Cancel", "MPI_Request *request", before="cancel(request)"),
    MpiFunction("Test_cancelled", "const MPI_Status *status, int *flag"),
    MpiFunction("Request_free", "MPI_Request *request", completes=("request, 1", "", "freed()")),
    MpiFunction("Request_get_status", "MPI_Request request, int *flag, MPI_Status *status"),
    MpiFunction(
        "Wait",
        "MPI_Request *request, MPI_Status *status",
        completes=("request, 1", "status", "completed_all(1)"),
    ),
    MpiFunction(
        "Test",
        "MPI_Request *request, int *flag, MPI_Status *status",
        completes=("request, 1", "status", "completed_all(*flag)"),
    ),
    MpiFunction(
        "Waitall",
        "int count, MPI_Request requests[], MPI_Status statuses[]",
        completes=("requests, count", "statuses", "completed_all(1)"),
    ),
    MpiFunction(
        "Testall",
        "int count, MPI_Request requests[], int *flag, MPI_Status statuses[]",
        completes=("requests, count", "statuses", "completed_all(*flag)"),
    ),
    MpiFunction(
        "Waitany",
        "int count, MPI_Request requests[], int *index, MPI_Status *status",
        completes=("requests, count", "status", "completed_one(*index)"),
    ),
    MpiFunction(
        "Testany",
        "int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status",
        completes=("requests, count", "status", "completed_one(*flag ? *index : MPI_UNDEFINED)"),
    ),
    MpiFunction(
        "Waitsome",
        "int count, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]",
        completes=("requests, count", "statuses", "completed_some(*outcount, indices)"),
    ),
    MpiFunction(
        "Testsome",
        "int count, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]",
        completes=("requests, count", "statuses", "completed_some(*outcount, indices)"),
    ),
)
