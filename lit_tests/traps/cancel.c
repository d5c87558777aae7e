// A cancelled loop or sections construct may not be nowait: its barrier stays implied.  So does the
// end of a cancelled parallel region, in which a barrier directive is a cancellation point.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -c %s -o %t.o
void f(const int *a) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 9; i++) {
      if (a[i]) {
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp cancel sections
      }
    }
#pragma omp for
    for (int i = 0; i < 9; i++)
      ;
  }
}
void g(void) {
#pragma omp parallel
#pragma omp for
  for (int i = 0; i < 9; i++) {
#pragma omp cancellation point for
  }
}
void h(const int *a) {
#pragma omp parallel
  {
    if (*a) {
#pragma omp cancel parallel
    }
#pragma omp parallel
    {
#pragma omp flush
    }
  }
}
// the flag POMP_BARRIER_NOT_MEASURED says so in the descriptor.
// CHECK: { "for", {{[^}]*}}, sizeof(struct __pomp_descriptor), 1, 1, "", "f", 0 }
// CHECK: { "sections", {{[^}]*}}, sizeof(struct __pomp_descriptor), 1, 1, "", "f", 0 }
// CHECK: { "for", {{[^}]*}}, sizeof(struct __pomp_descriptor), 0, 1, "", "f", 0 }
// CHECK: { POMP_For_enter(__pomp_rd2()); _Pragma("omp for"){{$}}
// CHECK: POMP_Cancel_enter([[C:__pomp_rd[0-9]+\(\)]]); _Pragma("omp cancel for") POMP_Cancel_exit([[C]]); }
// CHECK: POMP_Cancellation_point_enter([[P:__pomp_rd[0-9]+\(\)]]); _Pragma("omp cancellation point for") POMP_Cancellation_point_exit([[P]]); }
// CHECK: POMP_For_exit(__pomp_rd2()); }
// CHECK: { POMP_Sections_enter(__pomp_rd5()); _Pragma("omp sections"){{$}}
// CHECK: POMP_Sections_exit(__pomp_rd5()); }
// CHECK: _Pragma("omp for nowait")
// CHECK: _Pragma("omp for"){{$}}
// CHECK: _Pragma("omp cancellation point for")
// CHECK: { "parallel", {{[^}]*}}, sizeof(struct __pomp_descriptor), 1, 1, "", "h", 0 }
// CHECK: { "parallel", {{[^}]*}}, sizeof(struct __pomp_descriptor), 0, 1, "", "h", 0 }
// CHECK: _Pragma("omp parallel firstprivate([[T:__pomp_team[0-9]+]])") { POMP_Set_team([[T]]); POMP_Parallel_begin([[H:__pomp_rd[0-9]+\(\)]]);
// CHECK: _Pragma("omp cancel parallel")
// CHECK: POMP_Parallel_begin([[I:__pomp_rd[0-9]+\(\)]]);
// CHECK: POMP_Barrier_enter([[I]]); if (POMP_Team_size() > 1) { _Pragma("omp barrier") } POMP_Barrier_exit([[I]]); POMP_Parallel_end([[I]]); } POMP_Parallel_join([[I]]); }
// CHECK-NEXT: {{^ *}}} POMP_Parallel_end([[H]]); } POMP_Parallel_join([[H]]); }
