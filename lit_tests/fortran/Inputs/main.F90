program main
  implicit none
  character(8) :: name
#ifdef _OPENMP
  !$omp parallel num_threads(2)
  !$omp end parallel
#endif
  call chosen(name)
  print '(a)', name
end program main
