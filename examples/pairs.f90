! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Counts the pairs of particles that are closer to each other than a cutoff, in a few time steps.
! The tutorial measures it (docs/tutorial/first-bottleneck.md).
module particles
  implicit none
  private
  public :: count_pairs, move
contains
  function count_pairs(p, cutoff) result(pairs)
    real(8), intent(in) :: p(:, :), cutoff
    integer :: pairs, i, j
    real(8) :: dx, dy, dz
    pairs = 0
    !$omp parallel do private(dx, dy, dz) reduction(+ : pairs)
    do i = 1, size(p, 2)
      do j = 1, i - 1
        dx = p(1, i) - p(1, j)
        dy = p(2, i) - p(2, j)
        dz = p(3, i) - p(3, j)
        if (dx * dx + dy * dy + dz * dz < cutoff * cutoff) pairs = pairs + 1
      end do
    end do
  end function count_pairs

  subroutine move(p)
    real(8), intent(inout) :: p(:, :)
    real(8) :: step(size(p, 1), size(p, 2))
    call random_number(step)
    p = p + 1d-3 * (step - 0.5d0)
  end subroutine move
end module particles

program count_close_pairs
  use particles, only: count_pairs, move
  implicit none
  real(8), allocatable :: points(:, :)
  integer :: n, pairs, k
  n = 20000
  allocate (points(3, n))
  call random_init(repeatable=.true., image_distinct=.false.)
  call random_number(points)
  do k = 1, 5
    pairs = count_pairs(points, 0.1d0)
    call move(points)
  end do
  print '(i0, a, i0, a)', n, ' particles, ', pairs, ' pairs'
end program count_close_pairs
