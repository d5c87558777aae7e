/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The services, in the order in which their functions run. */
#include "location/service.h"

#ifdef POMP_STRONG_OMP
#include "process/static_program.h"
#endif

extern const struct pomp_service pomp_stack_service, pomp_team_exit_service,
    pomp_held_locks_service, pomp_counters_service, pomp_iterations_service, pomp_mpi_service,
    pomp_target_contents_service, pomp_target_service, pomp_target_thread_service,
    pomp_target_trace_service, pomp_trace_service;

const struct pomp_service *const pomp_services[] = {
    &pomp_stack_service,
    &pomp_team_exit_service,
    &pomp_held_locks_service,
    &pomp_counters_service,
    &pomp_iterations_service,
    &pomp_mpi_service,
    &pomp_target_contents_service,
    &pomp_target_service,
    &pomp_target_thread_service,
    &pomp_target_trace_service,
    &pomp_trace_service,
#ifdef POMP_STRONG_OMP
    &pomp_static_program_service,
#endif
    NULL,
};
