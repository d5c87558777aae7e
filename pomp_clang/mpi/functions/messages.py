"""Messages between two processes, and the requests of all operations."""

from __future__ import annotations

from pomp_clang.mpi.function import Function

_SENT = "const void *buf, N count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm"
_SEND = "send(dest, count, datatype)"
_FORMS = ("I", "init")

FUNCTIONS = (
    Function("Send", _SENT, _SEND, _FORMS),
    Function("Bsend", _SENT, _SEND, _FORMS),
    Function("Ssend", _SENT, _SEND, _FORMS),
    Function("Rsend", _SENT, _SEND, _FORMS),
    Function(
        "Recv",
        "void *buf, N count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, "
        "MPI_Status *status",
        "receive()",
        _FORMS,
    ),
    Function(
        "Mrecv",
        "void *buf, N count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status",
        "receive()",
        ("I",),
    ),
    Function(
        "Sendrecv",
        "const void *sendbuf, N sendcount, MPI_Datatype sendtype, int dest, int sendtag, "
        "void *recvbuf, N recvcount, MPI_Datatype recvtype, int source, int recvtag, "
        "MPI_Comm comm, MPI_Status *status",
        "send(dest, sendcount, sendtype) receive()",
        ("I",),
    ),
    Function(
        "Sendrecv_replace",
        "void *buf, N count, MPI_Datatype datatype, int dest, int sendtag, int source, "
        "int recvtag, MPI_Comm comm, MPI_Status *status",
        "send(dest, count, datatype) receive()",
        ("I",),
    ),
    Function(
        "Psend_init",
        "const void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest, "
        "int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request",
        "send_parts(dest, partitions, count, datatype)",
        persistent=True,
    ),
    Function(
        "Precv_init",
        "void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source, "
        "int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request",
        "receive_parts(source, partitions, count, datatype)",
        persistent=True,
    ),
    Function("Pready", "int partition, MPI_Request request"),
    Function("Pready_range", "int partition_low, int partition_high, MPI_Request request"),
    Function("Pready_list", "int length, const int partitions[], MPI_Request request"),
    Function("Pready_list", "int length, int partitions[], MPI_Request request"),
    Function("Parrived", "MPI_Request request, int partition, int *flag"),
    Function("Probe", "int source, int tag, MPI_Comm comm, MPI_Status *status"),
    Function("Iprobe", "int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status"),
    Function(
        "Mprobe",
        "int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status",
        after="probed(&call, 1, comm, message, status)",
    ),
    Function(
        "Improbe",
        "int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status",
        after="probed(&call, *flag, comm, message, status)",
    ),
    Function("Buffer_attach", "void *buffer, N size"),
    Function("Buffer_detach", "void *buffer_addr, N *size"),
    Function("Get_count", "const MPI_Status *status, MPI_Datatype datatype, N *count"),
    Function("Start", "MPI_Request *request", after="activate(&call, request, 1)"),
    Function(
        "Startall",
        "int count, MPI_Request requests[]",
        after="activate(&call, requests, count)",
    ),
    Function("Cancel", "MPI_Request *request", before="cancel(request)"),
    Function("Test_cancelled", "const MPI_Status *status, int *flag"),
    Function("Request_free", "MPI_Request *request", completes=("request, 1", "", "freed()")),
    Function("Request_get_status", "MPI_Request request, int *flag, MPI_Status *status"),
    Function(
        "Wait",
        "MPI_Request *request, MPI_Status *status",
        completes=("request, 1", "status", "completed_all(1)"),
    ),
    Function(
        "Test",
        "MPI_Request *request, int *flag, MPI_Status *status",
        completes=("request, 1", "status", "completed_all(*flag)"),
    ),
    Function(
        "Waitall",
        "int count, MPI_Request requests[], MPI_Status statuses[]",
        completes=("requests, count", "statuses", "completed_all(1)"),
    ),
    Function(
        "Testall",
        "int count, MPI_Request requests[], int *flag, MPI_Status statuses[]",
        completes=("requests, count", "statuses", "completed_all(*flag)"),
    ),
    Function(
        "Waitany",
        "int count, MPI_Request requests[], int *index, MPI_Status *status",
        completes=("requests, count", "status", "completed_one(*index)"),
    ),
    Function(
        "Testany",
        "int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status",
        completes=("requests, count", "status", "completed_one(*flag ? *index : MPI_UNDEFINED)"),
    ),
    Function(
        "Waitsome",
        "int count, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]",
        completes=("requests, count", "statuses", "completed_some(*outcount, indices)"),
    ),
    Function(
        "Testsome",
        "int count, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]",
        completes=("requests, count", "statuses", "completed_some(*outcount, indices)"),
    ),
)
