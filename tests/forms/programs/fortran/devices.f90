! only: gcc
! Rows of the table for devices, leagues and loops, and directives without events.
module declared
  implicit none
  !$omp requires atomic_default_mem_order(relaxed) !-
  integer :: table(4) = 0
  !$omp declare target (table) !-
  type pair
    integer :: a = 0, b = 0
  end type pair
contains
  pure integer function doubled(n)
    !$omp declare simd (doubled) uniform(n) !-
    !$omp declare target !-
    integer, intent(in) :: n
    doubled = 2 * n
  end function doubled
end module declared

module devices
  use declared
  implicit none
contains
  subroutine leagues(a, n)
    integer, intent(in) :: n
    integer, intent(inout) :: a(n)
    !$omp teams num_teams(1) thread_limit(2) != teams 1
    call distributed(a, n)
    !$omp end teams
  end subroutine leagues

  subroutine distributed(a, n)
    integer, intent(in) :: n
    integer, intent(inout) :: a(n)
    integer :: i
    !$omp distribute != distribute 1
    do i = 1, n
      a(i) = i
    end do
    !$omp distribute simd != distribute simd 1
    do i = 1, n
      a(i) = doubled(a(i))
    end do
    !$omp end distribute simd
    !$omp distribute parallel do != distribute parallel do 1
    do i = 1, n
      a(i) = a(i) + 1
    end do
    !$omp end distribute parallel do
    !$omp distribute parallel do simd != distribute parallel do simd 1
    do i = 1, n
      a(i) = a(i) + 1
    end do
    !$omp enddistribute parallel dosimd
  end subroutine distributed

  subroutine leagues_of_loops(a, n)
    integer, intent(in) :: n
    integer, intent(inout) :: a(n)
    integer :: i
    !$omp teams distribute num_teams(1) != teams distribute 1
    do i = 1, n
      a(i) = a(i) + 1
    end do
    !$omp teams distribute simd num_teams(1) != teams distribute simd 1
    do i = 1, n
      a(i) = a(i) + 1
    end do
    !$omp end teams distribute simd
    !$omp teams distribute parallel do num_teams(1) != teams distribute parallel do 1
    do i = 1, n
      a(i) = a(i) + 1
    end do
    !$omp end teams distribute parallel do
  end subroutine leagues_of_loops

  subroutine targets(a, n)
    integer, intent(in) :: n
    integer, intent(inout) :: a(n)
    integer :: i
    !$omp target parallel do simd map(tofrom: a) != target parallel do simd 1
    do i = 1, n
      a(i) = a(i) + 1
    end do
    !$omp target parallel loop map(tofrom: a) != target parallel loop 1
    do i = 1, n
      a(i) = a(i) + 1
    end do
    !$omp end target parallel loop
    !$omp target teams distribute map(tofrom: a) num_teams(1) != target teams distribute 1
    do i = 1, n
      a(i) = a(i) + 1
    end do
    !$omp target teams distribute simd map(tofrom: a) num_teams(1) != target teams distribute simd 1
    do i = 1, n
      a(i) = a(i) + 1
    end do
    !$omp target teams distribute parallel do simd map(tofrom: a) num_teams(1) != target teams distribute parallel do simd 1
    do i = 1, n
      a(i) = a(i) + 1
    end do
    !$omp target teams loop map(tofrom: a) num_teams(1) != target teams loop 1
    do i = 1, n
      a(i) = a(i) + 1
    end do
    !$omp end target teams loop
  end subroutine targets

  subroutine loops(a, n)
    integer, intent(in) :: n
    integer, intent(inout) :: a(n)
    integer :: i, s
    type(pair) :: joined
    !$omp declare reduction(join: pair: omp_out%a = omp_out%a + omp_in%a) !-
    s = 0
    !$omp parallel shared(s) != parallel 4
    !$omp loop != loop 4
    do i = 1, n
      a(i) = a(i) + 1
    end do
    !$omp end loop
    !$omp masked taskloop != masked taskloop 4
    do i = 1, 2
      a(i) = a(i) + 1
    end do
    !$omp end masked taskloop
    !$omp master taskloop simd != master taskloop simd 4
    do i = 3, 4
      a(i) = a(i) + 1
    end do
    !$omp barrier != barrier 4
    !$omp do reduction(inscan, +: s) != do 4
    do i = 1, n
      s = s + a(i)
      !$omp scan inclusive(s) !-
      a(i) = s
    end do
    !$omp do reduction(join: joined) != do 4
    do i = 1, n
      joined%a = joined%a + 1
    end do
    !$omp end parallel
    !$omp parallel masked taskloop != parallel masked taskloop 4
    do i = 1, 2
      a(i) = a(i) + joined%a
    end do
    !$omp parallel master taskloop simd != parallel master taskloop simd 4
    do i = 1, 2
      a(i) = a(i) + 1
    end do
    !$omp end parallel master taskloop simd
  end subroutine loops
end module devices

program main
  use devices
  implicit none
  integer :: a(8)
  a = 1
  call leagues(a, 8)
  call leagues_of_loops(a, 8)
  call targets(a, 8)
  call loops(a, 8)
  print *, a
end program main
