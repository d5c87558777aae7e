program tables
  use omp_lib
  implicit none
  integer :: i, n, k
  integer, external :: fib
  real :: x(100)
  n = 0
  do k = 1, 3
!$omp parallel default(none) shared(x, n) private(i)
!$omp do
  do i = 1, 100
     x(i) = i
  end do
!$omp barrier
!$omp single
  n = n + 1
!$omp end single
!$omp sections
  x(1) = 2
!$omp section
  x(2) = 3
!$omp end sections
!$omp master
  n = n + 1
!$omp end master
!$omp critical (name)
  n = n + 1
!$omp end critical (name)
!$omp atomic
  n = n + 1
!$omp end parallel
!$omp parallel do
  do i = 1, 100
     x(i) = x(i) + 1
  end do
  end do
!$omp parallel
!$omp single
  n = fib(12)
!$omp end single nowait
!$omp end parallel
  print *, n, sum(x)
end program
recursive integer function fib(n) result(r)
  integer, intent(in) :: n
  integer :: a, b
  if (n < 2) then
     r = n
     return
  end if
!$omp task shared(a)
  a = fib(n-1)
!$omp end task
!$omp task shared(b)
  b = fib(n-2)
!$omp end task
!$omp taskwait
  r = a + b
end function
