! With flang, the barriers of Fortran's constructs are told by the runtime, too.
! REQUIRES: flang
! RUN: %pomp rewrite --pomp-barriers=ompt %s -- %flang -fopenmp | sed -e '/^ *! /d' | FileCheck --check-prefix=TEXT %s
! RUN: rm -rf %t && mkdir %t && cd %t && %pomp --pomp-strict --pomp-barriers=ompt -- %flang -O1 -fopenmp %s -o app
! RUN: env OMP_NUM_THREADS=2 POMP_EXPERIMENT_DIR=exp ./app && %pomp report --all exp | FileCheck %s
program main
  implicit none
  integer :: i, s(2)
  s = 0
  !$omp parallel
  !$omp do
  do i = 1, 2
    s(i) = i
  end do
  !$omp single
  s(1) = 2
  !$omp end single
  !$omp end parallel
  !$omp parallel do
  do i = 1, 2
    s(i) = i
  end do
end program
! No barrier is put in, and no nowait is added to what stands alone.
! TEXT-NOT: omp barrier
! TEXT: {{^ *}}!$omp single
! TEXT: {{^ *}}!$omp end single{{$}}
! TEXT-NOT: omp barrier
! TEXT: end do nowait
! TEXT-NOT: omp barrier
! CHECK-DAG: parallel {{.*}}fortran.f90:10-18 in main, barrier by OMPT
! CHECK-DAG: do {{.*}}fortran.f90:11-14 in main, barrier by OMPT
! CHECK-DAG: single {{.*}}fortran.f90:15-17 in main, barrier by OMPT
! CHECK-DAG: parallel do {{.*}}fortran.f90:19-22 in main, barrier by OMPT
