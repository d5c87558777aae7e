! Arguments that differ between Fortran and C, between two processes: logicals, strings, constants
! with an address of their own, arrays of requests and statuses, indices, callbacks. Prints "right",
! or what is wrong.  F08, MODULE, or mpif.h.
#ifdef F08
#define MPI_BINDING use mpi_f08
#define HANDLE(kind) type(kind)
#define STATUSES(name, count) type(MPI_Status) :: name(count)
#else
#ifdef MODULE
#define MPI_BINDING use mpi
#else
#define MPI_BINDING
#endif
#define HANDLE(kind) integer
#define STATUSES(name, count) integer :: name(MPI_STATUS_SIZE, count)
#endif

module conversions
  MPI_BINDING
  implicit none
#if !defined(F08) && !defined(MODULE)
  include 'mpif.h'
#endif
  integer :: rank, other, error, copied = 0, deleted = 0
  logical :: wrong = .false.

contains

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    wrong = .true.
    print *, rank, ' wrong: ', what
  end subroutine

  subroutine copy(comm, keyval, extra, old, new, flag, status)
    HANDLE(MPI_Comm) :: comm
    integer :: keyval, status
    integer(MPI_ADDRESS_KIND) :: extra, old, new
    logical :: flag
    copied = copied + 1
    new = old + extra
    flag = .true.
    status = MPI_SUCCESS
  end subroutine

  subroutine delete(comm, keyval, old, extra, status)
    HANDLE(MPI_Comm) :: comm
    integer :: keyval, status
    integer(MPI_ADDRESS_KIND) :: old, extra
    deleted = deleted + 1
    status = MPI_SUCCESS
  end subroutine

#ifdef F08
  subroutine larger(given, taken, count, type)
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    type(c_ptr), value :: given, taken
    integer :: count
    type(MPI_Datatype) :: type
    integer, pointer :: in(:), inout(:)
    call c_f_pointer(given, in, [count])
    call c_f_pointer(taken, inout, [count])
    inout = max(in, inout)
  end subroutine
#else
  subroutine larger(in, inout, count, type)
    integer :: count, type, in(count), inout(count)
    inout = max(in, inout)
  end subroutine
#endif

  subroutine attributes()
    HANDLE(MPI_Comm) :: half, twice
    integer :: keyval, length
    integer(MPI_ADDRESS_KIND) :: value
    logical :: there
    character(MPI_MAX_OBJECT_NAME) :: name
    call MPI_Comm_split(MPI_COMM_WORLD, rank, 0, half, error)
    call MPI_Comm_set_name(half, 'half  ', error)
    call MPI_Comm_get_name(half, name, length, error)
    call expect(name == 'half' .and. length == 4, 'name')
    call MPI_Comm_create_keyval(copy, delete, keyval, 5_MPI_ADDRESS_KIND, error)
    call MPI_Comm_get_attr(half, keyval, value, there, error)
    call expect(.not. there, 'no attribute')
    call MPI_Comm_set_attr(half, keyval, 37_MPI_ADDRESS_KIND, error)
    call MPI_Comm_dup(half, twice, error)
    call MPI_Comm_get_attr(twice, keyval, value, there, error)
    call expect(there .and. value == 42 .and. copied == 1, 'attribute')
    call MPI_Barrier(twice, error)
    call MPI_Comm_free(twice, error)
    call MPI_Comm_free(half, error)
    call MPI_Comm_free_keyval(keyval, error)
    call expect(deleted == 2, 'deleted')
  end subroutine

  subroutine reduced()
    HANDLE(MPI_Op) :: op
    integer :: values(2)
    values = [rank, -rank]
    call MPI_Op_create(larger, .true., op, error)
    !$omp critical (in_place)
    call MPI_Allreduce(MPI_IN_PLACE, values, 2, MPI_INTEGER, op, MPI_COMM_WORLD, error)
    !$omp end critical (in_place)
    call MPI_Op_free(op, error)
    call expect(all(values == [1, 0]), 'user reduction')
  end subroutine

  subroutine requests()
    HANDLE(MPI_Request) :: them(2), prepared(2)
    STATUSES(statuses, 2)
    integer :: got(3), indices(2), done, index, length
    logical :: flag
    call MPI_Irecv(got, 3, MPI_INTEGER, other, 1, MPI_COMM_WORLD, them(1), error)
    call MPI_Isend([7, rank], 2, MPI_INTEGER, other, 1, MPI_COMM_WORLD, them(2), error)
    !$omp critical (waitall)
#ifdef F08
    call MPI_Waitall(2, them, statuses, error)
    call expect(statuses(1)%MPI_SOURCE == other .and. statuses(1)%MPI_TAG == 1, 'statuses')
    call MPI_Get_count(statuses(1), MPI_INTEGER, length, error)
#else
    call MPI_Waitall(2, them, statuses, error)
    call expect(statuses(MPI_SOURCE, 1) == other .and. statuses(MPI_TAG, 1) == 1, 'statuses')
    call MPI_Get_count(statuses(:, 1), MPI_INTEGER, length, error)
#endif
    !$omp end critical (waitall)
    call expect(all(them == MPI_REQUEST_NULL) .and. length == 2 .and. got(2) == other, 'requests')

    call MPI_Recv_init(got, 3, MPI_INTEGER, other, 2, MPI_COMM_WORLD, prepared(1), error)
    call MPI_Send_init(rank, 1, MPI_INTEGER, other, 2, MPI_COMM_WORLD, prepared(2), error)
    call MPI_Startall(2, prepared, error)
    !$omp critical (waitany)
    call MPI_Waitany(1, prepared, index, MPI_STATUS_IGNORE, error)
    !$omp end critical (waitany)
    ! MPICH 4.0's mpi_f08 counts from 0.
    call expect(any(index == [0, 1]) .and. got(1) == other, 'index')
    !$omp critical (waitsome)
    call MPI_Waitsome(2, prepared, done, indices, MPI_STATUSES_IGNORE, error)
    !$omp end critical (waitsome)
    call expect(done == 1 .and. any(indices(1) == [1, 2]), 'indices')
    call MPI_Testall(2, prepared, flag, MPI_STATUSES_IGNORE, error)
    call expect(flag, 'flag')
    call MPI_Request_free(prepared(1), error)
    call MPI_Request_free(prepared(2), error)
    call MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE, error)
    call expect(.not. flag, 'nothing to receive')
  end subroutine

  subroutine bottom()
    HANDLE(MPI_Datatype) :: parts
    integer, save, target :: first(2), second(2)
    integer(MPI_ADDRESS_KIND) :: places(2)
    first = 10 * rank
    second = 100 * rank
    call MPI_Get_address(first, places(1), error)
    call MPI_Get_address(second, places(2), error)
    call MPI_Type_create_hindexed(2, [1, 2], places, MPI_INTEGER, parts, error)
    call MPI_Type_commit(parts, error)
    !$omp critical (bottom)
    call MPI_Sendrecv_replace(MPI_BOTTOM, 1, parts, other, 3, other, 3, MPI_COMM_WORLD, &
                              MPI_STATUS_IGNORE, error)
    !$omp end critical (bottom)
    call MPI_Type_free(parts, error)
    call expect(all(first == [10 * other, 10 * rank]) .and. all(second == 100 * other), 'bottom')
  end subroutine

  subroutine errors()
    HANDLE(MPI_Comm) :: ring
    character(MPI_MAX_ERROR_STRING) :: text
    integer :: status, length, before, behind
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, error)
    !$omp critical (failed)
    call MPI_Send(rank, 1, MPI_INTEGER, 99, 0, MPI_COMM_WORLD, status)
    !$omp end critical (failed)
    call MPI_Error_string(status, text, length, error)
    call expect(status /= MPI_SUCCESS .and. length > 0, 'error')
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [2], [.true.], .false., ring, error)
    call MPI_Cart_shift(ring, 0, 1, before, behind, error)
    call expect(before == other .and. behind == other, 'periodic')
    call MPI_Comm_free(ring, error)
  end subroutine
end module

program main
  use conversions
  implicit none
  integer :: level
  call MPI_Init_thread(MPI_THREAD_FUNNELED, level, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  other = 1 - rank
  call attributes()
  call reduced()
  call requests()
  call bottom()
  call errors()
  call MPI_Finalize(error)
  if (.not. wrong) print '(a)', 'right'
end program
