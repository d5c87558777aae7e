# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The POMP functions by their shape, for the libraries that treat all alike.
set(POMP_CONTROLS Init Finalize On Off Snapshot)
set(POMP_EVENTS
    Begin End
    Parallel_fork Parallel_begin Parallel_end Parallel_join
    For_enter For_exit
    Sections_enter Section_begin Section_end Sections_exit
    Single_enter Single_begin Single_end Single_exit
    Workshare_enter Workshare_exit
    Barrier_enter Barrier_exit
    Critical_enter Critical_begin Critical_end Critical_exit
    Atomic_enter Atomic_exit
    Master_begin Master_end
    Flush_enter Flush_exit
    Ordered_enter Ordered_begin Ordered_end Ordered_exit
    Task_enter Task_begin Task_end Task_exit
    Taskwait_enter Taskwait_exit
    Taskyield_enter Taskyield_exit
    Taskgroup_enter Taskgroup_begin Taskgroup_end Taskgroup_exit
    Taskloop_enter Taskloop_exit
    Scope_enter Scope_begin Scope_end Scope_exit
    Masked_begin Masked_end
    Simd_enter Simd_exit
    Loop_enter Loop_exit
    Teams_enter Teams_exit
    Distribute_enter Distribute_exit
    Target_enter Target_exit
    Target_data_enter Target_data_begin Target_data_end Target_data_exit
    Target_enter_data_enter Target_enter_data_exit
    Target_exit_data_enter Target_exit_data_exit
    Target_update_enter Target_update_exit
    Dispatch_enter Dispatch_exit
    Depobj_enter Depobj_exit
    Interop_enter Interop_exit
    Metadirective_enter Metadirective_exit
    Cancel_enter Cancel_exit
    Cancellation_point_enter Cancellation_point_exit)
set(POMP_VALUES int unsigned real)
set(POMP_TOKENS team task creation)
set(POMP_LOCKS Set_lock Unset_lock Set_nest_lock Unset_nest_lock)
set(POMP_LOCK_TESTS Test_lock Test_nest_lock)
