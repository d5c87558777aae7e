/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "log.h"

#include "count.h"
#include "line.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int omp_get_thread_num(void) __attribute__((weak));
int omp_get_level(void) __attribute__((weak));
int omp_get_ancestor_thread_num(int level) __attribute__((weak));

static bool counting, forked;

__attribute__((constructor(101))) static void read_settings(void) {
  const char *mode = secure_getenv("POMP_LOG");
  counting = mode && !strcmp(mode, "count");
}

/* omp_get_level starts libomp up, so it is asked only where there was a fork. */
static int level(void) {
  if (!__atomic_load_n(&forked, __ATOMIC_RELAXED) && !(omp_get_thread_num && omp_get_thread_num()))
    return 0;
  return omp_get_level && omp_get_ancestor_thread_num ? omp_get_level() : 0;
}

/* The thread's number in its team, after those of the threads that made it: "1.0". */
static size_t print_thread(char *text, size_t size) {
  int levels = level();
  size_t used = 0;
  if (levels < 1)
    return (size_t)snprintf(text, size, "0");
  for (int i = 1; i <= levels && used < size / 2; i++)
    used += (size_t)snprintf(text + used, size - used, i > 1 ? ".%d" : "%d",
                             omp_get_ancestor_thread_num(i));
  return used;
}

static void print_place(char *text, size_t size, const OMPRegDescr *d) {
  snprintf(text, size, "%s(%s) %s:%d", d->name ? d->name : "", d->sub_name ? d->sub_name : "",
           d->file_name ? d->file_name : "", d->begin_line1);
}

static void print_event(const char *event, const char *place) {
  char line[LONGEST_LINE];
  size_t used = print_thread(line, 128);
  int more =
      snprintf(line + used, sizeof line - used - 1, " %s%s%s", event, *place ? " " : "", place);
  used += more < 0 ? 0 : (size_t)more;
  if (used > sizeof line - 2)
    used = sizeof line - 2;
  line[used++] = '\n';
  pomp_log_write(line, used);
}

void pomp_log(const char *event, const OMPRegDescr *d) {
  char place[LONGEST_LINE - 200] = "";
  if (!strcmp(event, "Parallel_fork"))
    __atomic_store_n(&forked, true, __ATOMIC_RELAXED);
  if (d)
    print_place(place, sizeof place, d);
  if (counting)
    pomp_log_count(d ? place : "-", event);
  else
    print_event(event, place);
}

void POMP_Register(OMPRegDescr **begin, OMPRegDescr **end) {
  (void)begin;
  (void)end;
}

void *POMP_Get_team(void) { return NULL; }

void POMP_Set_team(void *team) { (void)team; }

void *POMP_Get_creation(void) { return NULL; }

void POMP_Set_creation(void *creation) { (void)creation; }

void *POMP_Get_task(void) { return NULL; }

void POMP_Set_task(void *task) { (void)task; }
