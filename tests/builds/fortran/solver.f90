module solver
  implicit none
contains
  subroutine step(x)
    real, intent(inout) :: x(:)
    integer :: i
!$omp parallel
!$omp do
    do i = 1, size(x)
      x(i) = 2 * x(i)
    end do
!$omp end do
!$omp end parallel
  end subroutine
end module
