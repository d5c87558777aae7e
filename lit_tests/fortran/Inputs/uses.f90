program uses
  use work
  real :: x(2) = [5.0, 50.0], t
  t = added(x, 2)
  !$omp parallel
  continue
  !$omp end parallel
  call other(t)
  print *, t
end program
