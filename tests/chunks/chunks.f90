! Loops whose chunks are known: the comment at the directive has their number.
program chunks
  integer :: total
  integer(8) :: k
  total = 0
  !$omp parallel do schedule(dynamic) reduction(+ : total) ! 100
  do i = 1, 100
    total = total + i
  end do
  !$omp parallel reduction(+ : total)
  !$omp do schedule(dynamic, 7) ! 15
  do i = 1, 100
    total = total + i
  end do
  !$omp do schedule(dynamic, 10) ! 101
  do k = 1_8, 1001_8
    total = total + 1
  end do
  !$omp do schedule(runtime) ! 25
  do i = 1, 100
    total = total + i
  end do
  !$omp do ! 0
  do i = 1, 100
    total = total + i
  end do
  !$omp end parallel
  if (total < 0) error stop
end program
