module m
  implicit none
  real :: table(2, 2) = 0
contains
  subroutine s(x)
    use, intrinsic :: iso_fortran_env, only: real32
    real(real32), intent(inout) :: x
    real(kind=real32) :: doubled, t
    real*4 sixfold
    doubled(t) = 2 * t
    sixfold(t) = 3 * doubled(t)
    x = sixfold(x)
  end subroutine
  subroutine q(i, j)
    integer, intent(in) :: i, j
    table(i, j) = 7
  end subroutine
end module

program p
  use m
  real :: x = 4
  call s(x)
  call q(1, 2)
  print '(2f5.1)', x, table(1, 2)
end program
