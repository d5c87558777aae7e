program loops
  implicit none
  integer :: i, total
  real :: values(8)
  total = 0
  !$omp parallel do reduction(+:total)
  do i = 1, 8
    total = total + i
  end do
  !$omp parallel num_threads(2)
  !$omp workshare
  values = 1.0
  !$omp end workshare
  !$omp single
  !$omp task
  total = total + 1
  !$omp end task
  !$omp taskwait
  !$omp end single
  !$omp end parallel
  if (total /= 37) stop 1
end program loops
