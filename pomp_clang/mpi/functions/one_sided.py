"""Memory of other processes."""

from __future__ import annotations

from pomp_clang.mpi.function import Function

FUNCTIONS = (
    Function(
        "Win_create",
        "void *base, MPI_Aint size, D disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win",
        after="opened(comm, win)",
    ),
    Function(
        "Win_allocate",
        "MPI_Aint size, D disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win",
        after="opened(comm, win)",
    ),
    Function(
        "Win_allocate_shared",
        "MPI_Aint size, D disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win",
        after="opened(comm, win)",
    ),
    Function(
        "Win_shared_query",
        "MPI_Win win, int rank, MPI_Aint *size, D *disp_unit, void *baseptr",
    ),
    Function(
        "Win_create_dynamic",
        "MPI_Info info, MPI_Comm comm, MPI_Win *win",
        after="opened(comm, win)",
    ),
    Function("Win_attach", "MPI_Win win, void *base, MPI_Aint size"),
    Function("Win_detach", "MPI_Win win, const void *base"),
    Function("Win_free", "MPI_Win *win"),
    Function("Win_get_group", "MPI_Win win, MPI_Group *group"),
    Function("Win_set_info", "MPI_Win win, MPI_Info info"),
    Function("Win_get_info", "MPI_Win win, MPI_Info *info_used"),
    Function(
        "Put",
        "const void *origin_addr, N origin_count, MPI_Datatype origin_datatype, "
        "int target_rank, MPI_Aint target_disp, N target_count, MPI_Datatype target_datatype, "
        "MPI_Win win",
        "send(target_rank, origin_count, origin_datatype)",
    ),
    Function(
        "Get",
        "void *origin_addr, N origin_count, MPI_Datatype origin_datatype, int target_rank, "
        "MPI_Aint target_disp, N target_count, MPI_Datatype target_datatype, MPI_Win win",
        "get(target_rank, origin_count, origin_datatype)",
    ),
    Function(
        "Accumulate",
        "const void *origin_addr, N origin_count, MPI_Datatype origin_datatype, "
        "int target_rank, MPI_Aint target_disp, N target_count, MPI_Datatype target_datatype, "
        "MPI_Op op, MPI_Win win",
        "send(target_rank, origin_count, origin_datatype)",
    ),
    Function(
        "Get_accumulate",
        "const void *origin_addr, N origin_count, MPI_Datatype origin_datatype, "
        "void *result_addr, N result_count, MPI_Datatype result_datatype, int target_rank, "
        "MPI_Aint target_disp, N target_count, MPI_Datatype target_datatype, MPI_Op op, "
        "MPI_Win win",
        "exchange(target_rank, op, origin_count, origin_datatype, result_count, result_datatype)",
    ),
    Function(
        "Fetch_and_op",
        "const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank, "
        "MPI_Aint target_disp, MPI_Op op, MPI_Win win",
        "exchange(target_rank, op, 1, datatype, 1, datatype)",
    ),
    Function(
        "Compare_and_swap",
        "const void *origin_addr, const void *compare_addr, void *result_addr, "
        "MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win",
        "swap(target_rank, datatype)",
    ),
    Function(
        "Rput",
        "const void *origin_addr, N origin_count, MPI_Datatype origin_datatype, "
        "int target_rank, MPI_Aint target_disp, N target_count, MPI_Datatype target_datatype, "
        "MPI_Win win, MPI_Request *request",
        "send(target_rank, origin_count, origin_datatype)",
    ),
    Function(
        "Rget",
        "void *origin_addr, N origin_count, MPI_Datatype origin_datatype, int target_rank, "
        "MPI_Aint target_disp, N target_count, MPI_Datatype target_datatype, MPI_Win win, "
        "MPI_Request *request",
        "get(target_rank, origin_count, origin_datatype)",
    ),
    Function(
        "Raccumulate",
        "const void *origin_addr, N origin_count, MPI_Datatype origin_datatype, "
        "int target_rank, MPI_Aint target_disp, N target_count, MPI_Datatype target_datatype, "
        "MPI_Op op, MPI_Win win, MPI_Request *request",
        "send(target_rank, origin_count, origin_datatype)",
    ),
    Function(
        "Rget_accumulate",
        "const void *origin_addr, N origin_count, MPI_Datatype origin_datatype, "
        "void *result_addr, N result_count, MPI_Datatype result_datatype, int target_rank, "
        "MPI_Aint target_disp, N target_count, MPI_Datatype target_datatype, MPI_Op op, "
        "MPI_Win win, MPI_Request *request",
        "exchange(target_rank, op, origin_count, origin_datatype, result_count, result_datatype)",
    ),
    Function(
        "Win_fence",
        "int assert, MPI_Win win",
        after="synchronises(&call, win, MPI_PROC_NULL, false)",
    ),
    Function(
        "Win_start",
        "MPI_Group group, int assert, MPI_Win win",
        after="synchronises_with(&call, win, group)",
    ),
    Function(
        "Win_complete",
        "MPI_Win win",
        after="synchronises(&call, win, MPI_PROC_NULL, false)",
    ),
    Function(
        "Win_post",
        "MPI_Group group, int assert, MPI_Win win",
        after="synchronises_with(&call, win, group)",
    ),
    Function(
        "Win_wait",
        "MPI_Win win",
        after="synchronises(&call, win, MPI_PROC_NULL, false)",
    ),
    Function(
        "Win_test",
        "MPI_Win win, int *flag",
        after="tested(&call, win, *flag)",
    ),
    Function(
        "Win_lock",
        "int lock_type, int rank, int assert, MPI_Win win",
        after="synchronises(&call, win, rank, lock_type == MPI_LOCK_EXCLUSIVE)",
    ),
    Function(
        "Win_lock_all",
        "int assert, MPI_Win win",
        after="synchronises(&call, win, MPI_PROC_NULL, false)",
    ),
    Function(
        "Win_unlock",
        "int rank, MPI_Win win",
        after="synchronises(&call, win, rank, false)",
    ),
    Function(
        "Win_unlock_all",
        "MPI_Win win",
        after="synchronises(&call, win, MPI_PROC_NULL, false)",
    ),
    Function(
        "Win_flush",
        "int rank, MPI_Win win",
        after="synchronises(&call, win, rank, false)",
    ),
    Function(
        "Win_flush_all",
        "MPI_Win win",
        after="synchronises(&call, win, MPI_PROC_NULL, false)",
    ),
    Function(
        "Win_flush_local",
        "int rank, MPI_Win win",
        after="synchronises(&call, win, rank, false)",
    ),
    Function(
        "Win_flush_local_all",
        "MPI_Win win",
        after="synchronises(&call, win, MPI_PROC_NULL, false)",
    ),
    Function("Win_sync", "MPI_Win win"),
)
