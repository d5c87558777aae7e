! parallel, the worksharing and the synchronization constructs, and their combinations.
module shared_data
  implicit none
  integer :: counted = 0, kept = 0
  !$omp threadprivate(kept) !-
end module shared_data

module worksharing
  use shared_data, only: counted, kept
  implicit none
contains
  subroutine plain(a, n, s)
    integer, intent(in) :: n
    integer, intent(inout) :: a(n), s
    integer :: i, k, last
    last = 0
    !$omp parallel default(none) shared(a, n, s, last) private(k) != parallel 4
    !$omp do != do 4
    do i = 1, n
      a(i) = i
    end do
    !$omp do schedule(static, 2) != do 4
    do i = 1, n
      a(i) = a(i) + 1
    end do
    !$omp end do
    !$omp do schedule(nonmonotonic: dynamic, 1) collapse(2) != do 4
    outer: do i = 1, 4
      inner: do k = 1, 4
        if (k == 3) cycle inner
        a(4*i + k - 4) = a(4*i + k - 4) + i
      end do inner
    end do outer
    !$omp enddo nowait
    !$omp barrier != barrier 4
    !$OMP DO SIMD reduction(+: s) != do simd 4
    do k = 1, n
      s = s + k
    end do
    !$omp end do simd nowait
    !$omp do lastprivate(last) ordered != do 4
    do i = 1, n
      last = i
      !$omp ordered != ordered 20
      a(i) = a(i) + last
      !$omp end ordered
    end do
    !$omp sections private(k) != sections 4
    a(1) = a(1) + 1
    !$omp section !-
    k = 2
    a(2) = a(2) + k
    !$omp section !-
    !$omp end sections nowait
    !$omp sections != sections 4
    !$omp section
    a(3) = 3
    !$omp endsections
    !$omp single private(k) != single 4
    k = 5
    a(4) = k
    !$omp end single
    k = 0
    !$omp single != single 4
    k = 7
    !$omp end single copyprivate(k)
    !$omp atomic != atomic 4
    s = s + k
    !$omp single != single 4
    a(5) = 1
    !$omp end single nowait
    !$omp workshare != workshare 4
    a(6:9) = 2
    where (a(10:) > 30) a(10:) = 30
    !$omp end workshare nowait
    !$omp workshare != workshare 4
    a(1:2) = a(3:4)
    !$omp endworkshare
    !$omp master != master 1
    a(7) = 4
    !$omp end master
    !$omp masked filter(2) != masked 1
    a(8) = 4
    !$omp endmasked
    !$omp end parallel
    s = s + last
  end subroutine plain

  subroutine combined(a, n, s)
    integer, intent(in) :: n
    integer, intent(inout) :: a(n), s
    integer :: i, j, first, last
    integer, allocatable :: copy(:)
    first = 3; j = 0
    last = 0
    allocate (copy(n))
    !$omp parallel do default(none) shared(a, n) private(copy) firstprivate(first) lastprivate(last) != parallel do 4
    do i = 1, n
      copy(n) = i + first
      last = copy(n)
      a(i) = last
    end do
    !$omp paralleldo default(private) shared(n) reduction(+: s) schedule(static) != parallel do 4
    do i = 1, n
      s = s + i
    enddo
    !$omp endparalleldo
    !$omp parallel do simd default(firstprivate) shared(s) reduction(max: j) if(n > 3) != parallel do simd 4
    do i = 1, n
      j = max(i, 4)
    end do
    !$omp end parallel do simd
    !$omp parallel sections num_threads(2) firstprivate(first) != parallel sections 2
    a(1) = first
    !$omp section
    a(2) = first
    !$omp end parallel sections
    !$omp parallel workshare private(i) shared(a) != parallel workshare 4
    a = a + 1
    !$omp end parallel workshare
    !$omp parallel if(n < 3) proc_bind(close) copyin(kept) != parallel 1
    kept = kept + 1
    counted = counted + kept
    !$omp end parallel
    s = s + last
  end subroutine combined

  subroutine synchronization(s)
    integer, intent(inout) :: s
    integer :: v
    v = 0
    !$omp parallel private(v) num_threads(3) != parallel 3
    !$omp critical != critical 3
    s = s + 1
    !$omp end critical
    !$omp critical (a_Name) hint(0) != critical 3
    v = 2
    !$omp end critical (a_Name)
    !$omp flush != flush 3
    !$omp flush (s) != flush 3
    !$omp atomic update != atomic 3
    s = s + 1; v = 1
    !$omp atomic read seq_cst != atomic 3
    v = s
    !$omp atomic read != atomic 3
    v = s
    !$omp end atomic
    !$omp barrier != barrier 3
    !$omp atomic write != atomic 3
    s = 3
    !$omp barrier != barrier 3
    !$omp atomic capture != atomic 3
    v = s
    s = s + 2
    !$omp end atomic
    !$omp barrier != barrier 3
    !$omp atomic capture != atomic 3
    s = s * 2; v = s
    !$omp endatomic
    !$omp end parallel
    s = merge(s, v, s > 0)
  end subroutine synchronization
end module worksharing

program main
  use worksharing, only: plain, combined, synchronization
  use shared_data, only: counted
  implicit none
  integer :: a(20), s
  s = 0
  call plain(a, 20, s)
  print *, s, sum(a)
  call combined(a, 20, s)
  print *, s, sum(a), counted
  s = 0
  call synchronization(s)
  print *, s
end program main
