! Calls of MPI from lines that a comment names.
subroutine meet(comm)
#ifdef F08
  use mpi_f08
  implicit none
  type(MPI_Comm), intent(in) :: comm
#else
  use mpi
  implicit none
  integer, intent(in) :: comm
#endif
  integer :: code
  call MPI_Barrier(comm, code) ! MPI_Barrier in meet
end subroutine meet

program sites
#ifdef F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  integer :: code, own, all
  own = 1
  call MPI_Init(code)
  call meet(MPI_COMM_WORLD)
  call MPI_Allreduce(own, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code) ! MPI_Allreduce in main
  !$omp parallel
  !$omp end parallel
  call MPI_Finalize(code)
end program sites
