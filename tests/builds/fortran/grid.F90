module grid
  use solver, only: step
  implicit none
  real :: cells(SIZE)
contains
  subroutine fill
    integer :: i
!$omp parallel do
    do i = 1, SIZE
      cells(i) = i
    end do
    call step(cells)
  end subroutine
end module
