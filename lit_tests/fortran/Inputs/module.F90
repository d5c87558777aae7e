#define EACH !$omp parallel do reduction(+: total)
module work
contains
  real function added(x, n) result(total)
    integer :: i, n
    real :: x(n)
    total = 0
    EACH
    do i = 1, n
      include 'loop.inc'
    end do
  end function
end module
subroutine other(x)
  real :: x
  x = x + 0
end subroutine
