! The calls of volumes.c, in the same order, through the interface that is asked for: F08, MODULE,
! or mpif.h.
#ifdef F08
#define MPI_BINDING use mpi_f08
#define HANDLE(kind) type(kind)
#elif defined(MODULE)
#define MPI_BINDING use mpi
#define HANDLE(kind) integer
#else
#define MPI_BINDING
#define HANDLE(kind) integer
#endif

module volumes
  MPI_BINDING
  implicit none
#if !defined(F08) && !defined(MODULE)
  include 'mpif.h'
#endif
  integer, parameter :: most = 5, unit = 3, room = 64
  integer :: rank, np, right, left, error
  integer :: sent(most * room), received(most * room)
  integer, dimension(most) :: send_counts, receive_counts, offsets
  HANDLE(MPI_Datatype) :: types(most)

contains

  ! A process sends i units to the i-th process, and gets as many as its own number from each.
  subroutine count()
    integer :: i
    do i = 1, np
      send_counts(i) = unit * i
      receive_counts(i) = unit * (rank + 1)
      offsets(i) = (i - 1) * room
      types(i) = MPI_INTEGER
    end do
  end subroutine

  subroutine messages()
    HANDLE(MPI_Request) :: request
    call MPI_Isend(sent, unit, MPI_INTEGER, right, 0, MPI_COMM_WORLD, request, error)
    !$omp critical (recv)
    call MPI_Recv(received, room, MPI_INTEGER, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    !$omp end critical (recv)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    call MPI_Irecv(received, room, MPI_INTEGER, left, 0, MPI_COMM_WORLD, request, error)
    !$omp critical (send)
    call MPI_Send(sent, unit, MPI_INTEGER, right, 0, MPI_COMM_WORLD, error)
    !$omp end critical (send)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    !$omp critical (sendrecv)
    call MPI_Sendrecv(sent, unit, MPI_INTEGER, right, 0, received, room, MPI_INTEGER, left, 0, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    !$omp end critical (sendrecv)
    !$omp critical (sendrecv_replace)
    call MPI_Sendrecv_replace(sent, unit, MPI_INTEGER, right, 0, left, 0, MPI_COMM_WORLD, &
                              MPI_STATUS_IGNORE, error)
    !$omp end critical (sendrecv_replace)
  end subroutine

  subroutine modes()
    integer, save, target :: buffer(room + MPI_BSEND_OVERHEAD)
    HANDLE(MPI_Request) :: request, none
    integer :: bytes
    none = MPI_REQUEST_NULL
    call MPI_Buffer_attach(buffer, 4 * size(buffer), error)
    call MPI_Irecv(received, room, MPI_INTEGER, left, 0, MPI_COMM_WORLD, request, error)
    !$omp critical (bsend)
    call MPI_Bsend(sent, unit, MPI_INTEGER, right, 0, MPI_COMM_WORLD, error)
    !$omp end critical (bsend)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    call detach(bytes)
    if (bytes /= 4 * size(buffer)) stop 7
    call MPI_Irecv(received, room, MPI_INTEGER, left, 0, MPI_COMM_WORLD, request, error)
    !$omp critical (ssend)
    call MPI_Ssend(sent, unit, MPI_INTEGER, right, 0, MPI_COMM_WORLD, error)
    !$omp end critical (ssend)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    call MPI_Irecv(received, room, MPI_INTEGER, left, 0, MPI_COMM_WORLD, request, error)
    call MPI_Barrier(MPI_COMM_WORLD, error)
    !$omp critical (rsend)
    call MPI_Rsend(sent, unit, MPI_INTEGER, right, 0, MPI_COMM_WORLD, error)
    !$omp end critical (rsend)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    !$omp critical (wait)
    call MPI_Wait(none, MPI_STATUS_IGNORE, error)
    !$omp end critical (wait)
  end subroutine

  subroutine detach(bytes)
    use, intrinsic :: iso_c_binding, only: c_ptr
    integer, intent(out) :: bytes
#ifdef F08
    type(c_ptr) :: detached
#else
    integer :: detached(2)
#endif
    call MPI_Buffer_detach(detached, bytes, error)
  end subroutine

  subroutine one_to_all(root)
    integer, intent(in) :: root
    integer :: all(most), i
    all = [(unit * i, i = 1, most)]
    !$omp critical (bcast)
    call MPI_Bcast(sent, unit, MPI_INTEGER, root, MPI_COMM_WORLD, error)
    !$omp end critical (bcast)
    !$omp critical (scatter)
    call MPI_Scatter(sent, unit, MPI_INTEGER, received, unit, MPI_INTEGER, root, MPI_COMM_WORLD, error)
    !$omp end critical (scatter)
    !$omp critical (gather)
    call MPI_Gather(sent, unit, MPI_INTEGER, received, unit, MPI_INTEGER, root, MPI_COMM_WORLD, error)
    !$omp end critical (gather)
    !$omp critical (scatterv)
    call MPI_Scatterv(sent, all, offsets, MPI_INTEGER, received, all(rank + 1), MPI_INTEGER, root, &
                      MPI_COMM_WORLD, error)
    !$omp end critical (scatterv)
    !$omp critical (gatherv)
    call MPI_Gatherv(sent, all(rank + 1), MPI_INTEGER, received, all, offsets, MPI_INTEGER, root, &
                     MPI_COMM_WORLD, error)
    !$omp end critical (gatherv)
    !$omp critical (allgatherv)
    call MPI_Allgatherv(sent, all(rank + 1), MPI_INTEGER, received, all, offsets, MPI_INTEGER, &
                        MPI_COMM_WORLD, error)
    !$omp end critical (allgatherv)
    !$omp critical (reduce)
    call MPI_Reduce(sent, received, unit, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, error)
    !$omp end critical (reduce)
    !$omp critical (reduce_scatter)
    call MPI_Reduce_scatter(sent, received, all, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    !$omp end critical (reduce_scatter)
  end subroutine

  subroutine all_to_all()
    !$omp critical (allgather)
    call MPI_Allgather(sent, unit, MPI_INTEGER, received, unit, MPI_INTEGER, MPI_COMM_WORLD, error)
    !$omp end critical (allgather)
    !$omp critical (allreduce)
    call MPI_Allreduce(sent, received, unit, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    !$omp end critical (allreduce)
    !$omp critical (scan)
    call MPI_Scan(sent, received, unit, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    !$omp end critical (scan)
    !$omp critical (alltoall)
    call MPI_Alltoall(sent, unit, MPI_INTEGER, received, unit, MPI_INTEGER, MPI_COMM_WORLD, error)
    !$omp end critical (alltoall)
    !$omp critical (alltoallv)
    call MPI_Alltoallv(sent, send_counts, offsets, MPI_INTEGER, received, receive_counts, offsets, &
                       MPI_INTEGER, MPI_COMM_WORLD, error)
    !$omp end critical (alltoallv)
  end subroutine

  subroutine time_only()
    integer :: packed(room), position
    HANDLE(MPI_Request) :: request
    position = 0
    !$omp critical (barrier)
    call MPI_Barrier(MPI_COMM_WORLD, error)
    !$omp end critical (barrier)
    call MPI_Isend(sent, unit, MPI_INTEGER, right, 1, MPI_COMM_WORLD, request, error)
    !$omp critical (probe)
    call MPI_Probe(left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    !$omp end critical (probe)
    call MPI_Recv(received, room, MPI_INTEGER, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    !$omp critical (pack)
    call MPI_Pack(sent, unit, MPI_INTEGER, packed, 4 * room, position, MPI_COMM_WORLD, error)
    !$omp end critical (pack)
    position = 0
    !$omp critical (unpack)
    call MPI_Unpack(packed, 4 * room, position, received, unit, MPI_INTEGER, MPI_COMM_WORLD, error)
    !$omp end critical (unpack)
  end subroutine

  subroutine others()
    !$omp critical (alltoallw)
    call MPI_Alltoallw(sent, send_counts, 4 * offsets, types, received, receive_counts, 4 * offsets, &
                       types, MPI_COMM_WORLD, error)
    !$omp end critical (alltoallw)
    !$omp critical (exscan)
    call MPI_Exscan(sent, received, unit, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    !$omp end critical (exscan)
    !$omp critical (reduce_scatter_block)
    call MPI_Reduce_scatter_block(sent, received, unit, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    !$omp end critical (reduce_scatter_block)
  end subroutine
end module

program main
  use volumes
  implicit none
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, np, error)
  right = mod(rank + 1, np)
  left = mod(rank + np - 1, np)
  call count()
  call messages()
  call modes()
  call one_to_all(np - 1)
  call all_to_all()
  call time_only()
  call others()
  call MPI_Finalize(error)
end program
