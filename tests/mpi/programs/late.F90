! Process 1 waits for a message of process 0 in a parallel region, for 0.3 seconds. Then process 1 is
! late at a barrier by as much.
program late
  use mpi_f08
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  interface
    integer(c_int) function usleep(microseconds) bind(c)
      import :: c_int
      integer(c_int), value :: microseconds
    end function
  end interface
  integer :: rank, token, level
  call MPI_Init_thread(MPI_THREAD_FUNNELED, level)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Barrier(MPI_COMM_WORLD)
  token = 0
  !$omp parallel
  !$omp master
  if (rank == 0) then
    token = usleep(300000)
    call MPI_Send(token, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD)
  else if (rank == 1) then
    call MPI_Recv(token, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end if
  !$omp end master
  !$omp end parallel
  if (rank == 1) token = usleep(300000)
  !$omp critical (meeting)
  call MPI_Barrier(MPI_COMM_WORLD)
  !$omp end critical (meeting)
  call MPI_Finalize()
end program
