! options: -DTEAM=2
! Directives and calls out of macros, in included files and between conditions.
#define PARALLEL(clauses) !$omp parallel clauses
#define LOOP !$omp do schedule(static)
#define CLAUSES num_threads(TEAM) default(none)
#define ADD(x, y) x = x + y
module macros
  implicit none
  integer :: counted = 0
contains
  subroutine work(n)
    integer, intent(inout) :: n
    integer :: i
PARALLEL(num_threads(3)) != parallel 3
    LOOP != do 3
    do i = 1, 6
      !$omp atomic != atomic 6
      ADD(n, 1)
    end do
    !$omp end parallel
    !$omp parallel CLAUSES shared(n) != parallel 2
#ifdef _OPENMP
    !$omp critical (NAME) != critical 2
#else
    !$omp master
#endif
    n = n + __LINE__
#ifdef _OPENMP
    !$omp end critical (NAME)
#else
    !$omp end master
#endif
    !$omp end parallel
#if 0
    !$omp barrier
#endif
#ifdef _POMP
    !$omp inst begin(Part) != region 1
#endif
    !$omp parallel do & != parallel do 4
    !$omp& schedule(dynamic, 1)
    do i = 1, 3
      call add(i)
    end do
#ifdef _POMP
    !$omp inst end(Part)
#endif
    include 'loop.inc'
#include "loop.inc"
  end subroutine work

  subroutine add(n)
    integer, intent(in) :: n
    !$omp atomic != atomic 3
    counted = counted + n
  end subroutine add
end module macros

program main
  use macros
  implicit none
  integer :: n
  n = 0
  call work(n)
  print *, n, counted
end program main
