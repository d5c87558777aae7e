"""Collective operations, among neighbours as well."""

from __future__ import annotations

from pomp_clang.mpi.function import Function

_FORMS = ("I", "init_info")
_REDUCED = (
    "const void *sendbuf, void *recvbuf, N count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm"
)
_GATHERED = (
    "const void *sendbuf, N sendcount, MPI_Datatype sendtype, void *recvbuf, N recvcount, "
    "MPI_Datatype recvtype, MPI_Comm comm"
)
_GATHERED_V = (
    "const void *sendbuf, N sendcount, MPI_Datatype sendtype, void *recvbuf, "
    "const N recvcounts[], const D displs[], MPI_Datatype recvtype, MPI_Comm comm"
)
_EXCHANGED_V = (
    "const void *sendbuf, const N sendcounts[], const D sdispls[], MPI_Datatype sendtype, "
    "void *recvbuf, const N recvcounts[], const D rdispls[], MPI_Datatype recvtype, MPI_Comm comm"
)
_ROOTED = ", int root, MPI_Comm comm"

FUNCTIONS = (
    Function("Barrier", "MPI_Comm comm", "barrier()", _FORMS),
    Function(
        "Bcast",
        "void *buffer, N count, MPI_Datatype datatype" + _ROOTED,
        "bcast(count, datatype, root, comm)",
        _FORMS,
    ),
    Function(
        "Gather",
        _GATHERED.replace(", MPI_Comm comm", _ROOTED),
        "gather(sendbuf, sendcount, sendtype, recvcount, recvtype, root, comm)",
        _FORMS,
    ),
    Function(
        "Gatherv",
        _GATHERED_V.replace(", MPI_Comm comm", _ROOTED),
        "gatherv(sendbuf, sendcount, sendtype, recvcounts[], recvtype, root, comm)",
        _FORMS,
    ),
    Function(
        "Scatter",
        _GATHERED.replace(", MPI_Comm comm", _ROOTED),
        "scatter(sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)",
        _FORMS,
    ),
    Function(
        "Scatterv",
        "const void *sendbuf, const N sendcounts[], const D displs[], MPI_Datatype sendtype, "
        "void *recvbuf, N recvcount, MPI_Datatype recvtype" + _ROOTED,
        "scatterv(sendcounts[], sendtype, recvbuf, recvcount, recvtype, root, comm)",
        _FORMS,
    ),
    Function(
        "Allgather",
        _GATHERED,
        "allgather(sendbuf, sendcount, sendtype, recvcount, recvtype, comm)",
        _FORMS,
    ),
    Function(
        "Allgatherv",
        _GATHERED_V,
        "allgatherv(sendbuf, sendcount, sendtype, recvcounts[], recvtype, comm)",
        _FORMS,
    ),
    Function(
        "Alltoall",
        _GATHERED,
        "alltoall(sendbuf, sendcount, sendtype, recvcount, recvtype, comm)",
        _FORMS,
    ),
    Function(
        "Alltoallv",
        _EXCHANGED_V,
        "alltoallv(sendbuf, sendcounts[], sendtype, recvcounts[], recvtype, comm)",
        _FORMS,
    ),
    Function(
        "Alltoallw",
        "const void *sendbuf, const N sendcounts[], const D sdispls[], "
        "const MPI_Datatype sendtypes[], void *recvbuf, const N recvcounts[], "
        "const D rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm",
        "alltoallw(sendbuf, sendcounts[], sendtypes, recvcounts[], recvtypes, comm)",
        _FORMS,
    ),
    Function(
        "Reduce",
        _REDUCED.replace(", MPI_Comm comm", _ROOTED),
        "reduce(count, datatype, root, comm)",
        _FORMS,
    ),
    Function("Allreduce", _REDUCED, "allreduce(count, datatype, comm)", _FORMS),
    Function(
        "Reduce_scatter_block",
        _REDUCED.replace("count", "recvcount"),
        "reduce_scatter_block(recvcount, datatype, comm)",
        _FORMS,
    ),
    Function(
        "Reduce_scatter",
        _REDUCED.replace("N count", "const N recvcounts[]"),
        "reduce_scatter(recvcounts[], datatype, comm)",
        _FORMS,
    ),
    Function("Scan", _REDUCED, "scan(count, datatype, comm)", _FORMS),
    Function("Exscan", _REDUCED, "scan(count, datatype, comm)", _FORMS),
    Function(
        "Neighbor_allgather",
        _GATHERED,
        "neighbor_allgather(sendcount, sendtype, recvcount, recvtype, comm)",
        _FORMS,
    ),
    Function(
        "Neighbor_allgatherv",
        _GATHERED_V,
        "neighbor_allgatherv(sendcount, sendtype, recvcounts[], recvtype, comm)",
        _FORMS,
    ),
    Function(
        "Neighbor_alltoall",
        _GATHERED,
        "neighbor_alltoall(sendcount, sendtype, recvcount, recvtype, comm)",
        _FORMS,
    ),
    Function(
        "Neighbor_alltoallv",
        _EXCHANGED_V,
        "neighbor_alltoallv(sendcounts[], sendtype, recvcounts[], recvtype, comm)",
        _FORMS,
    ),
    Function(
        "Neighbor_alltoallw",
        "const void *sendbuf, const N sendcounts[], const MPI_Aint sdispls[], "
        "const MPI_Datatype sendtypes[], void *recvbuf, const N recvcounts[], "
        "const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm",
        "neighbor_alltoallw(sendcounts[], sendtypes, recvcounts[], recvtypes, comm)",
        _FORMS,
    ),
)
