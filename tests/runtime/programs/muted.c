/* Visits that do not count, begun or ended where others do. */
#include "pomp_test.h"

#include <omp.h>
#include <string.h>

enum { DEEP = 100, TOGGLES = 2000 };

PLACE(outer, "region", 10);
PLACE(inner, "region", 20);
PLACE(crit, "critical", 30);
PLACE(par, "parallel", 40);
PLACE(after, "region", 50);

static void visit(OMPRegDescr *d, int ms) {
  POMP_Begin(d);
  sleep_ms(ms);
  POMP_End(d);
}

static void deep(void) {
  POMP_Begin(&outer);
  POMP_Off();
  for (int i = 0; i < DEEP; i++)
    POMP_Begin(&inner);
  POMP_On();
  for (int i = 0; i < DEEP; i++)
    POMP_End(&inner);
  visit(&inner, 0);
  POMP_End(&outer);
  visit(&after, 0);
}

/* The inner visit's end is not the outer's. */
static void recurs(void) {
  POMP_Begin(&outer);
  POMP_Off();
  POMP_Begin(&outer);
  POMP_On();
  POMP_End(&outer);
  visit(&inner, 20);
  POMP_End(&outer);
  visit(&after, 0);
}

/* A visit that began before ends among visits that do not count. */
static void ends(void) {
  POMP_Begin(&outer);
  POMP_Begin(&inner);
  POMP_Off();
  visit(&after, 0);
  POMP_End(&inner);
  POMP_Begin(&inner);
  POMP_End(&inner);
  POMP_End(&outer);
  POMP_On();
  visit(&after, 0);
}

/* A visit that does not count, and whose end event never comes. */
static void lost(void) {
  POMP_Begin(&outer);
  POMP_Off();
  POMP_Begin(&inner);
  POMP_On();
  POMP_End(&outer);
  visit(&after, 200);
}

static void steps(void) {
  POMP_Critical_enter(&crit);
  POMP_Off();
  POMP_Critical_begin(&crit);
  POMP_Critical_end(&crit);
  POMP_Critical_exit(&crit);
  POMP_Critical_enter(&crit);
  POMP_Critical_begin(&crit);
  POMP_On();
  POMP_Critical_end(&crit);
  POMP_Critical_exit(&crit);
  POMP_Critical_enter(&crit);
  POMP_Critical_begin(&crit);
  POMP_Critical_end(&crit);
  POMP_Critical_exit(&crit);
}

static void visit_both(void) {
  POMP_Begin(&inner);
  POMP_Critical_enter(&crit);
  POMP_Critical_begin(&crit);
  POMP_Critical_end(&crit);
  POMP_Critical_exit(&crit);
  POMP_End(&inner);
}

/* One thread switches while the others are in the midst of their visits; then all make one. */
static void team(void) {
  int done = 0;
  PARALLEL(par, num_threads(4) shared(done)) {
    POMP_Begin(&outer);
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
      for (int i = 0; i < TOGGLES; i++) {
        POMP_Off();
        POMP_On();
      }
      __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
    }
    while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE))
      visit_both();
    visit_both();
    POMP_End(&outer);
    POMP_Begin(&after);
    POMP_End(&after);
  }
  END_PARALLEL(par)
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } cases[] = {{"deep", deep}, {"recurs", recurs}, {"ends", ends},
               {"lost", lost}, {"steps", steps},   {"team", team}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases && argc > 1; i++)
    if (!strcmp(argv[1], cases[i].name))
      cases[i].run();
  return 0;
}
