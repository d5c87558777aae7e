"""Collective operations, among neighbours as well."""

from __future__ import annotations

from pomp_clang.mpi.function import MpiFunction

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
    MpiFunction("Barrier", "MPI_Comm comm", "barrier()", _FORMS),
    MpiFunction(
        "Bcast",
        "void *buffer, N count, MPI_Datatype datatype" + _ROOTED,
        "bcast(count, datatype, root, comm)",
        _FORMS,
    ),
    MpiFunction(
        "Gather",
        _GATHERED.replace(", MPI_Comm comm", _ROOTED),
        "gather(sendbuf, sendcount, sendtype, recvcount, recvtype, root, comm)",
        _FORMS,
    ),
    MpiFunction(
        "Gatherv",
        _GATHERED_V.replace(", MPI_Comm comm", _ROOTED),
        "gatherv(sendbuf, sendcount, sendtype, recvcounts[], recvtype, root, comm)",
        _FORMS,
    ),
    MpiFunction(
        "Scatter",
        _GATHERED.replace(", MPI_Comm comm", _ROOTED),
        "scatter(sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)",
        _FORMS,
    ),
    MpiFunction(
        "Scatterv",
        "const void *sendbuf, const N sendcounts[], const D displs[], MPI_Datatype sendtype, "
        "void *recvbuf, N recvcount, MPI_Datatype recvtype" + _ROOTED,
        "scatterv(sendcounts[], sendtype, recvbuf, recvcount, recvtype, root, comm)",
        _FORMS,
    ),
    MpiFunction(
        "Allgather",
        _GATHERED,
        "allgather(sendbuf, sendcount, sendtype, recvcount, recvtype, comm)",
        _FORMS,
    ),
    MpiFunction(
        "Allgatherv",
        _GATHERED_V,
        "allgatherv(sendbuf, sendcount, sendtype, recvcounts[], recvtype, comm)",
        _FORMS,
    ),
    MpiFunction(
        "Alltoall",
        _GATHERED,
        "alltoall(sendbuf, sendcount, sendtype, recvcount, recvtype, comm)",
        _FORMS,
    ),
    MpiFunction(
        "Alltoallv",
        _EXCHANGED_V,
        "alltoallv(sendbuf, sendcounts[], sendtype, recvcounts[], recvtype, comm)",
        _FORMS,
    ),
    MpiFunction(
        "Alltoallw",
        "const void *sendbuf, const N sendcounts[], const D sdispls[], "
        "const MPI_Datatype sendtypes[], void *recvbuf, const N recvcounts[], "
        "const D rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm",
        "alltoallw(sendbuf, sendcounts[], sendtypes, recvcounts[], recvtypes, comm)",
        _FORMS,
    ),
    MpiFunction(
        "Reduce",
        _REDUCED.replace(", MPI_Comm comm", _ROOTED),
        "reduce(count, datatype, root, comm)",
        _FORMS,
    ),
    MpiFunction("Allreduce", _REDUCED, "allreduce(count, datatype, comm)", _FORMS),
    MpiFunction(
        "Reduce_scatter_block",
        _REDUCED.replace("count", "recvcount"),
        "reduce_scatter_block(recvcount, datatype, comm)",
        _FORMS,
    ),
    MpiFunction(
        "Reduce_scatter",
        _REDUCED.replace("N count", "const N recvcounts[]"),
        "reduce_scatter(recvcounts[], datatype, comm)",
        _FORMS,
    ),
    MpiFunction("Scan", _REDUCED, "scan(count, datatype, comm)", _FORMS),
    MpiFunction("Exscan", _REDUCED, "scan(count, datatype, comm)", _FORMS),
    MpiFunction(
        "Neighbor_allgather",
        _GATHERED,
        "neighbor_allgather(sendcount, sendtype, recvcount, recvtype, comm)",
        _FORMS,
    ),
    MpiFunction(
        "Neighbor_allgatherv",
        _GATHERED_V,
        "neighbor_allgatherv(sendcount, sendtype, recvcounts[], recvtype, comm)",
        _FORMS,
    ),
    MpiFunction(
        "Neighbor_alltoall",
        _GATHERED,
        "neighbor_alltoall(sendcount, sendtype, recvcount, recvtype, comm)",
        _FORMS,
    ),
    MpiFunction(
        "Neighbor_alltoallv",
        _EXCHANGED_V,
        "neighbor_alltoallv(sendcounts[], sendtype, recvcounts[], recvtype, comm)",
        _FORMS,
    ),
    MpiFunction(
        "Neighbor_alltoallw",
        "const void *sendbuf, const N sendcounts[], const MPI_Aint sdispls[], "
        "const MPI_Datatype sendtypes[], void *recvbuf, const N recvcounts[], "
        "const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm",
        "neighbor_alltoallw(sendcounts[], sendtypes, recvcounts[], recvtypes, comm)",
        _FORMS,
    ),
)
