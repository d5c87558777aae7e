! only: gcc
! Directives that gfortran 12 has and flang 19 has not.
module newer
  use omp_lib
  implicit none (type, external)
  integer :: total = 0
contains
  subroutine loops_of_tasks(n)
    integer, intent(in) :: n
    integer :: i, k, x
    !$omp parallel private(x) != parallel 4
    !$omp single != single 4
    !$omp taskloop grainsize(2) private(k) != taskloop 1
    do i = 1, n
      do k = 1, 2
        !$omp atomic != atomic 20
        total = total + 1
      end do
    end do
    !$omp taskloop num_tasks(3) collapse(2) untied if(n > 2) default(none) shared(total, n) != taskloop 1
    do i = 1, n
      do k = 1, 2
        call add(1)
      end do
    end do
    !$omp end taskloop
    !$omp taskloop simd reduction(+: total) != taskloop simd 1
    do i = 1, n
      total = total + 1
    end do
    !$omp end taskloop simd
    !$omp end single
    !$omp master taskloop != master taskloop 4
    do i = 1, n
      call add(1)
    end do
    !$omp masked taskloop simd filter(1) != masked taskloop simd 4
    do i = 1, n
      x = i
    end do
    !$omp end masked taskloop simd
    !$omp barrier != barrier 4
    !$omp scope reduction(+: total) != scope 4
    total = total + 1
    !$omp end scope nowait
    !$omp scope != scope 4
    call add(1)
    !$omp endscope
    !$omp end parallel
    !$omp parallel master != parallel master 4
    call add(1)
    !$omp end parallel master
    !$omp parallel masked filter(1) != parallel masked 4
    call add(1)
    !$omp end parallel masked
    !$omp parallel master taskloop != parallel master taskloop 4
    do i = 1, n
      call add(1)
    end do
    !$omp end parallel master taskloop
    !$omp parallel masked taskloop simd != parallel masked taskloop simd 4
    do i = 1, n
      x = i
    end do
    !$omp parallel loop != parallel loop 4
    do i = 1, n
      x = i
    end do
    !$omp end parallel loop
  end subroutine loops_of_tasks

  subroutine add(amount)
    integer, intent(in) :: amount
    !$omp atomic != atomic 62
    total = total + amount
  end subroutine add

  subroutine dependences
    integer :: i, x(4), v
    integer(omp_depend_kind) :: object
    integer(omp_event_handle_kind) :: event
    x = 0
    !$omp depobj(object) depend(inout: x(1)) != depobj 1
    !$omp parallel num_threads(2) != parallel 2
    !$omp single != single 2
    !$omp taskgroup task_reduction(+: total) != taskgroup 1
    do i = 1, 3
      !$omp task in_reduction(+: total) depend(depobj: object) priority(2) mergeable != task 3
      total = total + 1
      !$omp end task
    end do
    !$omp end taskgroup
    !$omp task detach(event) != task 1
    call omp_fulfill_event(event)
    !$omp end task
    !$omp taskwait depend(in: x(1)) != taskwait 1
    !$omp end single
    !$omp do ordered(1) != do 2
    do i = 1, 6
      !$omp ordered depend(sink: i - 1) != ordered 6
      x(1) = i
      !$omp ordered depend(source) != ordered 6
    end do
    !$omp atomic compare != atomic 2
    if (total == 100) total = 0
    !$omp atomic compare capture != atomic 2
    if (total == -1) then
      total = 0
    else
      v = total
    end if
    !$omp end atomic
    !$omp end parallel
    !$omp depobj(object) destroy != depobj 1
    v = 0
  end subroutine dependences

  subroutine cancelled
    integer :: i
    !$omp parallel != parallel 4
    call add(1)
    !$omp cancel parallel != cancel 4
    call add(1)
    !$omp end parallel
    !$omp parallel num_threads(1) != parallel 1
    !$omp do != do 1
    do i = 1, 5
      if (i == 3) then
        !$omp cancel do != cancel 1
      end if
      !$omp cancellation point do != cancellation point 2
    end do
    !$omp end parallel
  end subroutine cancelled

  subroutine spread(a, n)
    integer, intent(in) :: n
    integer, intent(inout) :: a(n)
    integer :: i, s
    s = 0
    !$omp simd reduction(+: s) != simd 1
    do i = 1, n
      s = s + a(i)
    end do
    !$omp end simd
    !$omp teams num_teams(1) reduction(+: s) != teams 1
    !$omp distribute !! no-call
    do i = 1, n
      a(i) = 1
    end do
    !$omp end distribute
    !$omp distribute parallel do reduction(+: s) !! no-call
    do i = 1, n
      s = s + 1
    end do
    !$omp end teams
    !$omp teams distribute parallel do simd reduction(+: s) num_teams(1) != teams distribute parallel do simd 1
    do i = 1, n
      s = s + 1
    end do
    !$omp end teams distribute parallel do simd
    !$omp teams loop num_teams(1) != teams loop 1
    do i = 1, n
      a(i) = 2
    end do
    !$omp target map(tofrom: s) map(to: n) != target 1
    !$omp parallel do reduction(+: s) !! no-call
    do i = 1, n
      s = s + 1
    end do
    !$omp end target
    !$omp target data map(tofrom: a) != target data 1
    !$omp target update to(a) != target update 1
    !$omp target teams distribute parallel do map(tofrom: a) != target teams distribute parallel do 1
    do i = 1, n
      a(i) = a(i) + 1
    end do
    !$omp target parallel do map(tofrom: a) != target parallel do 1
    do i = 1, n
      a(i) = a(i) + 1
    end do
    !$omp target parallel map(tofrom: s) != target parallel 1
    s = s
    !$omp end target parallel
    !$omp target simd map(tofrom: a) != target simd 1
    do i = 1, n
      a(i) = a(i) + 1
    end do
    !$omp target teams map(tofrom: a) != target teams 1
    a(1) = a(1)
    !$omp end target teams
    !$omp end target data
    !$omp target enter data map(to: a) != target enter data 1
    !$omp target exit data map(from: a) != target exit data 1
    !$omp nothing !-
    total = total + s + sum(a)
  end subroutine spread

  subroutine blocks
    integer :: i
    !$omp parallel num_threads(2) != parallel 2
    block
      integer :: mine
      mine = 1
      call add(mine)
    end block
    call add(1)
    !$omp parallel sections num_threads(2) != parallel sections 2
    !$omp section
    block
      call add(1)
    end block
    call add(1)
    !$omp end parallel sections
    !$omp parallel num_threads(2) != parallel 2
    block
      !$omp single != single 2
      block
        call add(1)
      end block
      !$omp end single nowait
      !$omp do != do 2
      do i = 1, 2
        !$omp critical (named) != critical 2
        block
          call add(1)
        end block
      end do
      !$omp task != task 2
      block
        integer :: mine
        mine = 2
        call add(mine)
      end block
    end block
    !$omp end parallel
    !$omp parallel sections !! block
    block
      call add(1)
      !$omp section
      call add(1)
    end block
  end subroutine blocks
end module newer

program main
  use newer
  implicit none (type, external)
  integer :: a(8)
  a = 1
  call loops_of_tasks(10)
  call dependences
  call cancelled
  print *, total
  call spread(a, 8)
  call blocks
  print *, total
end program main
