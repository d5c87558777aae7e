/* Teams in teams, tasks, cancelled constructs and libraries that come and go, all at once and by
 * a seed.  The program counts for itself how often it came by each construct. */
#include "stress.h"

#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINES = 500, ROUNDS = 6 };

static atomic_long here[LINES], plugin[LINES];
static char **libraries;
static int library_count;
static omp_lock_t lock;

static void count(int line) { atomic_fetch_add(&here[line], 1); }
static void count_plugin(int line) { atomic_fetch_add(&plugin[line], 1); }

static void step(unsigned state, int depth);

static void load(unsigned state) {
  void *library = dlopen(libraries[next(&state) % (unsigned)library_count], RTLD_NOW | RTLD_LOCAL);
  plugging *plugged = library ? (plugging *)dlsym(library, "plugged") : NULL;
  if (!plugged) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  plugged(count_plugin, state);
  dlclose(library);
}

static void team(unsigned state, int depth) {
#pragma omp parallel num_threads(1 + next(&state) % 3) firstprivate(state)
  {
    count(__LINE__ - 2);
    step(state + (unsigned)omp_get_thread_num(), depth - 1);
  }
}

static void working_team(unsigned state) {
  long sum = 0;
#pragma omp parallel num_threads(1 + next(&state) % 3)
  {
    count(__LINE__ - 2);
    count(__LINE__ + 1);
#pragma omp for schedule(dynamic) nowait reduction(+ : sum)
    for (int i = 0; i < 8; i++)
      sum += i;
    count(__LINE__ + 1);
#pragma omp sections
    {
#pragma omp section
      load(state);
#pragma omp section
      sum++;
    }
    count(__LINE__ + 1);
#pragma omp single
    load(state + 1);
    count(__LINE__ + 1);
#pragma omp barrier
  }
}

/* Its tasks may be run or not. */
static void cancelled_team(unsigned state) {
#pragma omp parallel num_threads(1 + next(&state) % 3) firstprivate(state)
  {
    count(__LINE__ - 2);
#pragma omp task
    count(__LINE__ - 1);
    count(__LINE__ + 1);
#pragma omp cancel parallel if (CANCELS)
    count(__LINE__ + 1);
#pragma omp critical(rarely)
    state++;
  }
}

static void cancelled_loop(unsigned state) {
  unsigned last = next(&state) % 16;
#pragma omp parallel num_threads(1 + next(&state) % 3)
  {
    count(__LINE__ - 2);
    count(__LINE__ + 1);
#pragma omp for
    for (unsigned i = 0; i < 16; i++) {
      count(__LINE__ + 1);
#pragma omp atomic
      state++;
      if (i == last) {
        count(__LINE__ + 1);
#pragma omp cancel for
      }
    }
  }
}

static void tied_task(unsigned state, int depth, int cancels) {
#pragma omp task firstprivate(state, depth, cancels) if (DEFERRED)
  {
    count(__LINE__ - 2);
    step(state, depth - 1);
    if (cancels) {
      count(__LINE__ + 1);
#pragma omp cancel taskgroup
    }
  }
}

static void untied_task(unsigned state, int depth) {
#pragma omp task untied firstprivate(state, depth)
  {
    count(__LINE__ - 2);
    step(state, depth - 1);
#ifndef __clang__
    count(__LINE__ + 1);
#pragma omp taskyield
#endif
    step(state + 1, depth - 2);
  }
}

static void group(unsigned state, int depth) {
  count(__LINE__ + 1);
#pragma omp taskgroup
  {
    untied_task(state + 1, depth);
    tied_task(state, depth, next(&state) % 2);
    untied_task(state + 2, depth);
  }
}

static void small(unsigned state) {
  switch (next(&state) % 4) {
  case 0:
    count(__LINE__ + 1);
#pragma omp critical(mostly)
    state++;
    break;
  case 1:
    count(__LINE__ + 1);
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
    break;
  case 2:
    count(__LINE__ + 1);
#pragma omp taskwait
    break;
  default:
    load(state);
  }
}

static void step(unsigned state, int depth) {
  for (int i = 0; i < 3 && depth > 0; i++)
    switch (next(&state) % 8) {
    case 0:
      team(state, depth);
      break;
    case 1:
      working_team(state);
      break;
    case 2:
      cancelled_team(state);
      break;
    case 3:
      cancelled_loop(state);
      break;
    case 4:
      tied_task(state, depth, 0);
      break;
    case 5:
      untied_task(state, depth);
      break;
    case 6:
      group(state, depth - 1);
      break;
    default:
      small(state);
    }
}

static void *rounds(void *seed) {
  for (unsigned round = 0; round < ROUNDS; round++) {
#pragma omp parallel num_threads(3)
    {
      count(__LINE__ - 2);
      step(*(unsigned *)seed + 7 * round + (unsigned)omp_get_thread_num(), 4);
    }
  }
  return NULL;
}

static void *loads(void *seed) {
  for (unsigned round = 0; round < 10 * ROUNDS; round++)
    load(*(unsigned *)seed + round);
  return NULL;
}

static void tell(const char *file, const atomic_long *counted) {
  for (int line = 0; line < LINES; line++)
    if (counted[line])
      printf("%s %d %ld\n", file, line, counted[line]);
}

/* SEED teams|loads LIBRARY...: what a thread of the program's own does meanwhile. */
int main(int argc, char **argv) {
  unsigned seeds[2] = {argc > 3 ? (unsigned)atoi(argv[1]) : 0, 0};
  pthread_t other;
  seeds[1] = seeds[0] + 1000003u;
  libraries = argv + 3;
  library_count = argc - 3;
  omp_set_max_active_levels(8);
  omp_init_lock(&lock);
  if (pthread_create(&other, NULL, argv[2][0] == 't' ? rounds : loads, &seeds[1]) != 0)
    return 1;
  rounds(&seeds[0]);
  pthread_join(other, NULL);
  tell("stress.c", here);
  tell("stress_plugin.c", plugin);
  return 0;
}
