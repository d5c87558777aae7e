// In a team of one thread, libomp 19 aborts at a barrier directive if detached tasks of other
// regions left it a task team. Such a team gets no directive, except with libgomp, which defers a
// team's tasks up to it.
// REQUIRES: clang, gcc
// RUN: %pomp rewrite --pomp-barriers=explicit %s -- %clang -fopenmp | sed -e '\,^ *//,d' | FileCheck --check-prefix=LIBOMP %s
// RUN: %pomp rewrite --pomp-barriers=explicit %s -- %clang -fopenmp=libgomp | sed -e '\,^ *//,d' | FileCheck --check-prefix=ALWAYS %s
// RUN: %pomp rewrite --pomp-barriers=explicit %s -- %gcc -fopenmp | sed -e '\,^ *//,d' | FileCheck --check-prefix=ALWAYS %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror %s -o %t.exe
// RUN: rm -rf %t.exp && env OMP_MAX_ACTIVE_LEVELS=2 POMP_EXPERIMENT_DIR=%t.exp %t.exe | FileCheck --check-prefix=RAN %s
// RUN: %pomp report --format csv %t.exp | FileCheck --check-prefix=COUNTS %s
#include <omp.h>
#include <stdio.h>

static int done;

static void nested(int outer, int inner) {
#pragma omp parallel num_threads(outer)
  {
#pragma omp parallel num_threads(inner)
    {
      omp_event_handle_t event;
#pragma omp task detach(event)
      {
#pragma omp atomic
        done++;
      }
      omp_fulfill_event(event);
    }
  }
}

int main(void) {
  for (int i = 0; i < 10; i++)
    nested(2, 1);
  for (int i = 0; i < 10; i++)
    nested(1, 1);
  for (int i = 0; i < 10; i++)
    nested(1, 2);
  printf("%d\n", done);
}
// LIBOMP-COUNT-2: POMP_Barrier_enter({{.*}}); if (POMP_Team_size() > 1) { _Pragma("omp barrier") } POMP_Barrier_exit(
// ALWAYS-COUNT-2: POMP_Barrier_enter({{.*}}); {{.*}}_Pragma("omp barrier"){{.*}}POMP_Barrier_exit(
// ALWAYS-NOT: POMP_Team_size
// RAN: 50
// COUNTS: ##BEG R00001 flat profile
// COUNTS: SUM,{{[^,]*}},40,
// COUNTS: ##BEG R00002 flat profile
// COUNTS: SUM,{{[^,]*}},50,
// COUNTS: ##BEG R00003 flat profile
// COUNTS: SUM,{{[^,]*}},50,{{[^,]*}},50
