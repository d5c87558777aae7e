#include "pomp_test.h"

#include <omp.h>

PLACE(par, "parallel", 10);
PLACE(loop, "for", 20);
PLACE(both, "parallel for", 30);
PLACE(secs, "sections", 40);
PLACE(psecs, "parallel sections", 50);
PLACE(one, "single", 60);
PLACE_WITH(crit, "critical", "named", 70, 0);
PLACE(bar, "barrier", 80);
PLACE(mast, "master", 90);
PLACE(atom, "atomic", 100);
PLACE(flsh, "flush", 110);
PLACE(orde, "ordered", 120);
PLACE_WITH(user, "region", "mine", 130, 0);
FUNCTION(func, "main", 140);
PLACE(share, "workshare", 150);
PLACE_WITH(never, "for", 0, 160, POMP_NOWAIT);
PLACE(nowait, "for", 170);

static void sections(void) {
  POMP_Sections_enter(&secs);
#pragma omp sections nowait
  {
#pragma omp section
    {
      POMP_Section_begin(&secs);
      sleep_ms(20);
      POMP_Section_end(&secs);
    }
#pragma omp section
    {
      POMP_Section_begin(&secs);
      POMP_Section_end(&secs);
    }
  }
  BARRIER(secs);
  POMP_Sections_exit(&secs);
}

static void single(void) {
  POMP_Single_enter(&one);
#pragma omp single nowait
  {
    POMP_Single_begin(&one);
    sleep_ms(40);
    POMP_Single_end(&one);
  }
  BARRIER(one);
  POMP_Single_exit(&one);
}

static void synchronise(void) {
  static volatile int x;
  POMP_Critical_enter(&crit);
#pragma omp critical
  {
    POMP_Critical_begin(&crit);
    sleep_ms(20);
    POMP_Critical_end(&crit);
  }
  POMP_Critical_exit(&crit);
  BARRIER(bar);
#pragma omp master
  {
    POMP_Master_begin(&mast);
    sleep_ms(20);
    POMP_Master_end(&mast);
  }
  for (int i = 0; i < 10; i++) {
    POMP_Atomic_enter(&atom);
#pragma omp atomic
    x++;
    POMP_Atomic_exit(&atom);
  }
  POMP_Flush_enter(&flsh);
  POMP_Flush_exit(&flsh);
}

static void loops(void) {
  POMP_For_enter(&loop);
#pragma omp for nowait ordered schedule(static, 1)
  for (int i = 0; i < 4; i++) {
    POMP_Ordered_enter(&orde);
#pragma omp ordered
    {
      POMP_Ordered_begin(&orde);
      sleep_ms(10);
      POMP_Ordered_end(&orde);
    }
    POMP_Ordered_exit(&orde);
  }
  BARRIER(loop);
  POMP_For_exit(&loop);
  POMP_For_enter(&nowait);
#pragma omp for nowait
  for (int i = 0; i < 4; i++)
    sleep_ms(10);
  POMP_For_exit(&nowait);
  POMP_Workshare_enter(&share);
  POMP_Workshare_exit(&share);
}

static void combined(void) {
  POMP_Parallel_fork(&both);
  void *team = POMP_Get_team();
#pragma omp parallel num_threads(4) firstprivate(team)
  {
    POMP_Set_team(team);
    POMP_Parallel_begin(&both);
    POMP_For_enter(&both);
#pragma omp for nowait schedule(static, 1)
    for (int i = 0; i < 4; i++)
      sleep_ms(10 * (i + 1));
    BARRIER(both);
    POMP_For_exit(&both);
    POMP_Parallel_end(&both);
  }
  POMP_Parallel_join(&both);
}

static void combined_sections(void) {
  POMP_Parallel_fork(&psecs);
  void *team = POMP_Get_team();
#pragma omp parallel num_threads(4) firstprivate(team)
  {
    POMP_Set_team(team);
    POMP_Parallel_begin(&psecs);
    POMP_Sections_enter(&psecs);
#pragma omp sections nowait
    {
#pragma omp section
      {
        POMP_Section_begin(&psecs);
        sleep_ms(20);
        POMP_Section_end(&psecs);
      }
    }
    BARRIER(psecs);
    POMP_Sections_exit(&psecs);
    POMP_Parallel_end(&psecs);
  }
  POMP_Parallel_join(&psecs);
}

int main(void) {
  POMP_Begin(&func);
  PARALLEL(par, num_threads(4))
  sections();
  single();
  synchronise();
  loops();
  END_PARALLEL(par)
  combined();
  combined_sections();
  POMP_Begin(&user);
  sleep_ms(10);
  POMP_End(&user);
  POMP_End(&func);
  return 0;
}
