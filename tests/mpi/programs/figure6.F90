! Figure 6: four threads send a mebibyte each, ten times, in a critical section.
program figure6
  use omp_lib
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 2**20
  character, save :: sent(n, 0:3)
  integer :: level, rank, i, error, failed
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, level, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  if (rank == 0) then
    do i = 1, 10
      !$omp parallel num_threads(4) private(failed)
      !$omp critical
      call MPI_Send(sent(1, omp_get_thread_num()), n, MPI_CHARACTER, 1, 0, MPI_COMM_WORLD, failed)
      !$omp end critical
      !$omp end parallel
    end do
  else if (rank == 1) then
    do i = 1, 40
      call MPI_Recv(sent, n, MPI_CHARACTER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    end do
  end if
  call MPI_Finalize(error)
end program
