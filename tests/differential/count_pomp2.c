/* A POMP2 library that counts: "line event count" on stderr at the end, line 0 for locks. */
#include <opari2/pomp2_lib.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 512, EVENTS = 64 };
static const char *names[EVENTS];
static atomic_ulong counts[EVENTS][LINES];

static int event_number(const char *name) {
  int i = 0;
  while (names[i] && strcmp(names[i], name) != 0)
    i++;
  names[i] = name;
  return i;
}

static void count(const char *event, long line) {
#pragma omp critical(pomp2_count)
  {
    atomic_fetch_add(&counts[event_number(event)][line], 1);
  }
}

/* The line of "...*sscl=FILE:FIRST:LAST*...", kept in the handle. */
static long line_of(POMP2_Region_handle *handle, const char *ctc) {
  if (ctc) {
    const char *place = strstr(ctc, "*sscl=");
    const char *end = place ? strchr(place + 1, '*') : NULL;
    while (end && *end != ':')
      end--;
    do
      end--;
    while (end && *end != ':');
    *handle = (POMP2_Region_handle)strtol(end + 1, NULL, 10);
  }
  return (long)*handle;
}

__attribute__((destructor)) static void print(void) {
  for (int e = 0; e < EVENTS && names[e]; e++)
    for (int l = 0; l < LINES; l++)
      if (counts[e][l])
        fprintf(stderr, "%d %s %lu\n", l, names[e], counts[e][l]);
}

#define OPENS(event)                                                                               \
  void POMP2_##event(POMP2_Region_handle *h, const char ctc[]) { count(#event, line_of(h, ctc)); }
#define CLOSES(event)                                                                              \
  void POMP2_##event(POMP2_Region_handle *h) { count(#event, line_of(h, NULL)); }

OPENS(Atomic_enter)
CLOSES(Atomic_exit)
OPENS(Flush_enter)
CLOSES(Flush_exit)
OPENS(Critical_enter)
CLOSES(Critical_begin)
CLOSES(Critical_end)
CLOSES(Critical_exit)
OPENS(For_enter)
CLOSES(For_exit)
OPENS(Master_begin)
CLOSES(Master_end)
CLOSES(Parallel_begin)
CLOSES(Parallel_end)
OPENS(Section_begin)
CLOSES(Section_end)
OPENS(Sections_enter)
CLOSES(Sections_exit)
CLOSES(Single_begin)
CLOSES(Single_end)
OPENS(Single_enter)
CLOSES(Single_exit)

void POMP2_Parallel_fork(POMP2_Region_handle *h, int if_clause, int num_threads,
                         POMP2_Task_handle *old, const char ctc[]) {
  (void)if_clause, (void)num_threads, (void)old;
  count("Parallel_fork", line_of(h, ctc));
}
void POMP2_Parallel_join(POMP2_Region_handle *h, POMP2_Task_handle old) {
  (void)old;
  count("Parallel_join", line_of(h, NULL));
}
void POMP2_Barrier_enter(POMP2_Region_handle *h, POMP2_Task_handle *old, const char ctc[]) {
  (void)old;
  count("Barrier_enter", line_of(h, ctc));
}
void POMP2_Barrier_exit(POMP2_Region_handle *h, POMP2_Task_handle old) {
  (void)old;
  count("Barrier_exit", line_of(h, NULL));
}
void POMP2_Implicit_barrier_enter(POMP2_Region_handle *h, POMP2_Task_handle *old) {
  (void)old;
  count("Barrier_enter", line_of(h, NULL));
}
void POMP2_Implicit_barrier_exit(POMP2_Region_handle *h, POMP2_Task_handle old) {
  (void)old;
  count("Barrier_exit", line_of(h, NULL));
}

void POMP2_Assign_handle(POMP2_Region_handle *h, const char ctc[]) { line_of(h, ctc); }
POMP2_Task_handle POMP2_Get_new_task_handle(void) { return 1; }

#define LOCK(Name, name, type)                                                                     \
  void POMP2_##Name(type *l) {                                                                     \
    count(#Name, 0);                                                                               \
    omp_##name(l);                                                                                 \
  }
LOCK(Set_lock, set_lock, omp_lock_t)
LOCK(Unset_lock, unset_lock, omp_lock_t)
LOCK(Set_nest_lock, set_nest_lock, omp_nest_lock_t)
LOCK(Unset_nest_lock, unset_nest_lock, omp_nest_lock_t)
void POMP2_Init_lock(omp_lock_t *l) { omp_init_lock(l); }
void POMP2_Destroy_lock(omp_lock_t *l) { omp_destroy_lock(l); }
void POMP2_Init_nest_lock(omp_nest_lock_t *l) { omp_init_nest_lock(l); }
void POMP2_Destroy_nest_lock(omp_nest_lock_t *l) { omp_destroy_nest_lock(l); }
int POMP2_Test_lock(omp_lock_t *l) {
  count("Test_lock", 0);
  return omp_test_lock(l);
}
