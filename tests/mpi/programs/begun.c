/* The rows of volumes.c by their other forms: begun and waited for, or prepared, started, waited
 * for and freed.  They move the same. */
#include <mpi.h>

#ifdef PREPARED
#define COMPLETED(prepared)                                                                        \
  {                                                                                                \
    MPI_Request request;                                                                           \
    prepared;                                                                                      \
    MPI_Start(&request);                                                                           \
    MPI_Wait(&request, MPI_STATUS_IGNORE);                                                         \
    MPI_Request_free(&request);                                                                    \
  }
#define MESSAGE(prepared, begun, ...) COMPLETED(prepared(__VA_ARGS__, &request))
#else
#define COMPLETED(begun)                                                                           \
  {                                                                                                \
    MPI_Request request;                                                                           \
    begun;                                                                                         \
    MPI_Wait(&request, MPI_STATUS_IGNORE);                                                         \
  }
#define MESSAGE(prepared, begun, ...) COMPLETED(begun(__VA_ARGS__, &request))
#endif

/* Persistent collective operations came with MPI 4.0. */
#if defined(PREPARED) && MPI_VERSION >= 4
#define TOGETHER(prepared, begun, ...) COMPLETED(prepared(__VA_ARGS__, MPI_INFO_NULL, &request))
#elif defined(PREPARED)
#define TOGETHER(prepared, begun, ...)                                                             \
  {                                                                                                \
    MPI_Request request;                                                                           \
    begun(__VA_ARGS__, &request);                                                                  \
    MPI_Wait(&request, MPI_STATUS_IGNORE);                                                         \
  }
#else
#define TOGETHER(prepared, begun, ...) COMPLETED(begun(__VA_ARGS__, &request))
#endif

#define MPI_Send(...) MESSAGE(MPI_Send_init, MPI_Isend, __VA_ARGS__)
#define MPI_Bsend(...) MESSAGE(MPI_Bsend_init, MPI_Ibsend, __VA_ARGS__)
#define MPI_Ssend(...) MESSAGE(MPI_Ssend_init, MPI_Issend, __VA_ARGS__)
#define MPI_Rsend(...) MESSAGE(MPI_Rsend_init, MPI_Irsend, __VA_ARGS__)
#define MPI_Bcast(...) TOGETHER(MPI_Bcast_init, MPI_Ibcast, __VA_ARGS__)
#define MPI_Scatter(...) TOGETHER(MPI_Scatter_init, MPI_Iscatter, __VA_ARGS__)
#define MPI_Gather(...) TOGETHER(MPI_Gather_init, MPI_Igather, __VA_ARGS__)
#define MPI_Scatterv(...) TOGETHER(MPI_Scatterv_init, MPI_Iscatterv, __VA_ARGS__)
#define MPI_Gatherv(...) TOGETHER(MPI_Gatherv_init, MPI_Igatherv, __VA_ARGS__)
#define MPI_Allgather(...) TOGETHER(MPI_Allgather_init, MPI_Iallgather, __VA_ARGS__)
#define MPI_Allgatherv(...) TOGETHER(MPI_Allgatherv_init, MPI_Iallgatherv, __VA_ARGS__)
#define MPI_Reduce(...) TOGETHER(MPI_Reduce_init, MPI_Ireduce, __VA_ARGS__)
#define MPI_Allreduce(...) TOGETHER(MPI_Allreduce_init, MPI_Iallreduce, __VA_ARGS__)
#define MPI_Scan(...) TOGETHER(MPI_Scan_init, MPI_Iscan, __VA_ARGS__)
#define MPI_Exscan(...) TOGETHER(MPI_Exscan_init, MPI_Iexscan, __VA_ARGS__)
#define MPI_Alltoall(...) TOGETHER(MPI_Alltoall_init, MPI_Ialltoall, __VA_ARGS__)
#define MPI_Alltoallv(...) TOGETHER(MPI_Alltoallv_init, MPI_Ialltoallv, __VA_ARGS__)
#define MPI_Alltoallw(...) TOGETHER(MPI_Alltoallw_init, MPI_Ialltoallw, __VA_ARGS__)
#define MPI_Reduce_scatter(...) TOGETHER(MPI_Reduce_scatter_init, MPI_Ireduce_scatter, __VA_ARGS__)
#define MPI_Reduce_scatter_block(...)                                                              \
  TOGETHER(MPI_Reduce_scatter_block_init, MPI_Ireduce_scatter_block, __VA_ARGS__)

#include "volumes.c"
