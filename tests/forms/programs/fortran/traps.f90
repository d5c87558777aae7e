! Program units, specification parts and spellings that a tool may take for something else.
module kinds
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none (type, external)
  private
  public :: c_int, pair, add_pairs, apply, total, submodular, tags
  integer, save :: total = 0
  enum, bind(c)
    enumerator :: tags = 3
  end enum
  type pair
    integer :: a = 0, b = 0
  contains
    procedure :: add => add_pairs
  end type pair
  abstract interface
    subroutine taking(n)
      integer, intent(in) :: n
    end subroutine taking
  end interface
  interface
    module subroutine submodular(n)
      integer, intent(inout) :: n
    end subroutine submodular
    module function doubled(n) result(r)
      integer, intent(in) :: n
      integer :: r
    end function doubled
  end interface
contains
  pure type(pair) function add_pairs(x, y)
    class(pair), intent(in) :: x
    type(pair), intent(in) :: y
    add_pairs = pair(x%a + y%a, x%b + y%b)
  end function

  subroutine apply(body)
    procedure(taking) :: body
    integer :: i
    !$omp parallel do != parallel do 4
    do i = 1, 8
      call body(i)
    end do
  endsubroutine
end module kinds

submodule (kinds) parts
  implicit none
contains
  module procedure submodular
    integer :: i
    !$omp parallel do reduction(+: n) != parallel do 4
    do i = 1, 4
      n = n + doubled(i)
    end do
  end procedure submodular

  module procedure doubled
    !$omp critical (doubling) != critical 4
    r = 2 * n
    !$omp end critical (doubling)
  end procedure
end submodule parts

module procedures
  use kinds
  implicit none
contains
  elemental subroutine simple(x)
    integer, intent(inout) :: x
    x = x + 1
  end subroutine simple

  pure function summed(a) result(s)
    integer, intent(in) :: a(:)
    integer :: s, i
    s = 0
    !$omp simd reduction(+: s) !! function
    do i = 1, size(a)
      s = s + a(i)
    end do
  end function summed

  subroutine from_c(n, x) bind(C, name="from_c")
    integer(c_int), value :: n
    integer(c_int), intent(inout) :: x
    !$omp parallel num_threads(n) default(none) firstprivate(n) shared(x) != parallel 2
    !$omp atomic != atomic 2
    x = x + n
    !$omp end parallel
  end subroutine from_c

  subroutine host(n)
    integer, intent(inout) :: n
    integer functional(3), end, if, do, block, parallel, type, entry; integer :: pompt1; do = 1
    if = 2; end = 3; parallel = 4; functional(2) = 0; type = 5; entry = 6
    pompt1 = 3
    !$omp parallel default(none) shared(n, functional) != parallel 4
    call inner()
    !$omp end parallel
    block = do + if + end + parallel + type + entry + pompt1
    call from_c(2_c_int, n)
    n = n + block + functional(2)
  contains
    subroutine inner
      integer i; data i /0/
      !$omp critical != critical 4
      n = n + 1; functional(2) = functional(2) + 1
      !$omp endcritical
      if (i == 1) return
    end subroutine inner
  end subroutine host

  subroutine spelled(n, text)
    integer, intent(inout) :: n
    character(len=*), intent(out) :: text
    integer :: i, k, a(4, 4)
    text = 'it''s !$omp parallel; & ! "x&
      &y" !$omp end parallel'
    a = 0
    !$omp parallel do & != parallel do 4
    !$omp default(none) & ! what is shared

    ! a comment between
    !$omp& shared(a, &
    !$omp& n) private(k) &
    !$omp    schedule (static)
    do i = 1, 4; do k = 1, 4
      if (k == 2) cycle
      a(k, i) = k; end do; end do; n = n + 1
    !$omp par& != parallel 4
    !$omp&allel private(i)
    !$ i = 1
    !$ do k = 1, 3
    !$omp atomic != atomic 12
    !$   n = n + 1; i = 2
    !$ end do
    outer: do i = 1, 3
      do k = 1, 3
        if (k == 2) cycle outer
        if (i == 3) exit outer
        !$omp atomic != atomic 8
        n = &
          n + 1
      end do
    end do outer
    !$omp do != do 4
    do i = 1, 4
      do concurrent (k = 1:4)
        a(k, i) = a(k, i) + 1
      end do
      where (a(:, i) > 2)
        a(:, i) = 2
      elsewhere
        a(:, i) = 1
      end where
    end do; if (n < 0) error stop 'n'
    associate (first => a(1, 1))
      !$omp single != single 4
      select case (first)
      case (1)
        n = n + 1
      case default
        !$omp atomic != atomic 0
        n = n + 2
      end select
      !$omp end single
    end associate
    if (n > 0) goto 10
    n = -1
10  continue
    !$omp end parallel
    n = n + sum(a)
  end subroutine spelled

  subroutine controlled(n)
    integer, intent(inout) :: n
    !p$ n = n + 1
    !$pomp inst begin(Phase) != region 1
    !$omp parallel num_threads(2) != parallel 2
    !$POMP INST BEGIN(inner) != region 2
    !$omp barrier != barrier 2
    !$pomp inst end( inner )
    !$omp end parallel
    !$pomp noinstrument
    !$omp parallel num_threads(2) !- silenced
    !$omp atomic !-
    n = n + 1
    !$omp end parallel
    !$pomp instrument
    !$pomp inst end(Phase)
    !$omp parallel do num_threads(2) != parallel do 2
    do n = 1, 3
      continue
    end do
  end subroutine controlled
end module procedures

!$omp parallel num_threads(2) != parallel 2
block
  integer :: i
  i = 1
  !$omp critical != critical 2
  print '(a, i2)', 'implied main', i
  !$omp end critical
end block
!$omp end parallel
block
  use procedures
  integer :: n
  character(50) :: text
  n = 0
  call submodular(n)
  print *, n, summed([1, 2, 3])
  call apply(counting)
  call simple(total)
  print *, total
  call host(n)
  print *, n
  call spelled(n, text)
  print *, n, text
  call controlled(n)
  print *, n
end block
contains
  subroutine counting(n)
    use kinds, only: total
    integer, intent(in) :: n
    !$omp atomic != atomic 8
    total = total + n
  end subroutine counting
end
