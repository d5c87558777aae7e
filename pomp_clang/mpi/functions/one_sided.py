"""Memory of other processes."""

from __future__ import annotations

from pomp_clang.mpi.function import MpiFunction

FUNCTIONS = (
    MpiFunction(
        "Win_create",
        "void *base, MPI_Aint size, D disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win",
        after="opened(comm, win)",
    ),
    MpiFunction(
        "Win_allocate",
        "MPI_Aint size, D disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win",
        after="opened(comm, win)",
    ),
    MpiFunction(
        "Win_allocate_shared",
        "MPI_Aint size, D disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win",
        after="opened(comm, win)",
    ),
    MpiFunction(
        "Win_shared_query",
        "MPI_Win win, int rank, MPI_Aint *size, D *disp_unit, void *baseptr",
    ),
    MpiFunction(
        "Win_create_dynamic",
        "MPI_Info info, MPI_Comm comm, MPI_Win *win",
        after="opened(comm, win)",
    ),
    MpiFunction("Win_attach", "MPI_Win win, void *base, MPI_Aint size"),
    MpiFunction("Win_detach", "MPI_Win win, const void *base"),
    MpiFunction("Win_free", "MPI_Win *win"),
    MpiFunction("Win_get_group", "MPI_Win win, MPI_Group *group"),
    MpiFunction("Win_set_info", "MPI_Win win, MPI_Info info"),
    MpiFunction("Win_get_info", "MPI_Win win, MPI_Info *info_used"),
    MpiFunction(
        "Put",
        "const void *origin_addr, N origin_count, MPI_Datatype origin_datatype, "
        "int target_rank, MPI_Aint target_disp, N target_count, MPI_Datatype target_datatype, "
        "MPI_Win win",
        "send(target_rank, origin_count, origin_datatype)",
    ),
    MpiFunction(
        "Get",
        "void *origin_addr, N origin_count, MPI_Datatype origin_datatype, int target_rank, "
        "MPI_Aint target_disp, N target_count, MPI_Datatype target_datatype, MPI_Win win",
        "get(target_rank, origin_count, origin_datatype)",
    ),
    MpiFunction(
        "Accumulate",
        "const void *origin_addr, N origin_count, MPI_Datatype origin_datatype, "
        "int target_rank, MPI_Aint target_disp, N target_count, MPI_Datatype target_datatype, "
        "MPI_Op op, MPI_Win win",
        "send(target_rank, origin_count, origin_datatype)",
    ),
    MpiFunction(
        "Get_accumulate",
        "const void *origin_addr, N origin_count, MPI_Datatype origin_datatype, "
        "void *result_addr, N result_count, MPI_Datatype result_datatype, int target_rank, "
        "MPI_Aint target_disp, N target_count, MPI_Datatype target_datatype, MPI_Op op, "
        "MPI_Win win",
        "exchange(target_rank, op, origin_count, origin_datatype, result_count, result_datatype)",
    ),
    MpiFunction(
        "Fetch_and_op",
        "const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank, "
        "MPI_Aint target_disp, MPI_Op op, MPI_Win win",
        "exchange(target_rank, op, 1, datatype, 1, datatype)",
    ),
    MpiFunction(
        "Compare_and_swap",
        "const void *origin_addr, const void *compare_addr, void *result_addr, "
        "MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win",
        "swap(target_rank, datatype)",
    ),
    MpiFunction(
        "Rput",
        "const void *origin_addr, N origin_count, MPI_Datatype origin_datatype, "
        "int target_rank, MPI_Aint target_disp, N target_count, MPI_Datatype target_datatype, "
        "MPI_Win win, MPI_Request *request",
        "send(target_rank, origin_count, origin_datatype)",
    ),
    MpiFunction(
        "Rget",
        "void *origin_addr, N origin_count, MPI_Datatype origin_datatype, int target_rank, "
        "MPI_Aint target_disp, N target_count, MPI_Datatype target_datatype, MPI_Win win, "
        "MPI_Request *request",
        "get(target_rank, origin_count, origin_datatype)",
    ),
    MpiFunction(
        "Raccumulate",
        "const void *origin_addr, N origin_count, MPI_Datatype origin_datatype, "
        "int target_rank, MPI_Aint target_disp, N target_count, MPI_Datatype target_datatype, "
        "MPI_Op op, MPI_Win win, MPI_Request *request",
        "send(target_rank, origin_count, origin_datatype)",
    ),
    MpiFunction(
        "Rget_accumulate",
        "const void *origin_addr, N origin_count, MPI_Datatype origin_datatype, "
        "void *result_addr, N result_count, MPI_Datatype result_datatype, int target_rank, "
        "MPI_Aint target_disp, N target_count, MPI_Datatype target_datatype, MPI_Op op, "
        "MPI_Win win, MPI_Request *request",
        "exchange(target_rank, op, origin_count, origin_datatype, result_count, result_datatype)",
    ),
    MpiFunction(
        "Win_fence",
        "int assert, MPI_Win win",
        after="synchronises(&call, win, MPI_PROC_NULL, false)",
    ),
    MpiFunction(
        "Win_start",
        "MPI_Group group, int assert, MPI_Win win",
        after="synchronises_with(&call, win, group)",
    ),
    MpiFunction(
        "Win_complete",
        "MPI_Win win",
        after="synchronises(&call, win, MPI_PROC_NULL, false)",
    ),
    MpiFunction(
        "Win_post",
        "MPI_Group group, int assert, MPI_Win win",
        after="synchronises_with(&call, win, group)",
    ),
    MpiFunction(
        "Win_wait",
        "MPI_Win win",
        after="synchronises(&call, win, MPI_PROC_NULL, false)",
    ),
    MpiFunction(
        "Win_test",
        "MPI_Win win, int *flag",
        after="tested(&call, win, *flag)",
    ),
    MpiFunction(
        "Win_lock",
        "int lock_type, int rank, int assert, MPI_Win win",
        after="synchronises(&call, win, rank, lock_type == MPI_LOCK_EXCLUSIVE)",
    ),
    MpiFunction(
        "Win_lock_all",
        "int assert, MPI_Win win",
        after="synchronises(&call, win, MPI_PROC_NULL, false)",
    ),
    MpiFunction(
        "Win_unlock",
        "int rank, MPI_Win win",
        after="synchronises(&call, win, rank, false)",
    ),
    MpiFunction(
        "Win_unlock_all",
        "MPI_Win win",
        after="synchronises(&call, win, MPI_PROC_NULL, false)",
    ),
    MpiFunction(
        "Win_flush",
        "int rank, MPI_Win win",
        after="synchronises(&call, win, rank, false)",
    ),
    MpiFunction(
        "Win_flush_all",
        "MPI_Win win",
        after="synchronises(&call, win, MPI_PROC_NULL, false)",
    ),
    MpiFunction(
        "Win_flush_local",
        "int rank, MPI_Win win",
        after="synchronises(&call, win, rank, false)",
    ),
    MpiFunction(
        "Win_flush_local_all",
        "MPI_Win win",
        after="synchronises(&call, win, MPI_PROC_NULL, false)",
    ),
    MpiFunction("Win_sync", "MPI_Win win"),
)
