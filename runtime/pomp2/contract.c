/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The strings that describe regions to a POMP2 library: "length*key=value*...**".
 *
 * The libraries' parsers end the program at a region type that they do not know, at lines that do
 * not ascend, and at a `:` or `*` in a name.  So only keys are written that each of them knows. */
#include "contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[POMP2_TYPES] = {
    [POMP2_ATOMIC] = "atomic",
    [POMP2_BARRIER] = "barrier",
    [POMP2_CRITICAL] = "critical",
    [POMP2_DO] = "do",
    [POMP2_FLUSH] = "flush",
    [POMP2_FOR] = "for",
    [POMP2_MASTER] = "master",
    [POMP2_ORDERED] = "ordered",
    [POMP2_PARALLEL] = "parallel",
    [POMP2_PARALLEL_DO] = "paralleldo",
    [POMP2_PARALLEL_FOR] = "parallelfor",
    [POMP2_PARALLEL_SECTIONS] = "parallelsections",
    [POMP2_PARALLEL_WORKSHARE] = "parallelworkshare",
    [POMP2_SECTIONS] = "sections",
    [POMP2_SINGLE] = "single",
    [POMP2_TASK] = "task",
    [POMP2_TASKWAIT] = "taskwait",
    [POMP2_WORKSHARE] = "workshare",
    [POMP2_USER] = "userRegion",
};

/* Directives by their words.  The first type is that of the barrier at the end; a task's second is
 * that of a wait without events in which it runs. */
static const struct {
  const char *words;
  enum pomp2_type types[POMP2_MOST_TYPES];
} rows[] = {
    {"parallel", {POMP2_PARALLEL}},
    {"parallel for", {POMP2_PARALLEL_FOR}},
    {"parallel for simd", {POMP2_PARALLEL_FOR}},
    {"parallel do", {POMP2_PARALLEL_DO}},
    {"parallel do simd", {POMP2_PARALLEL_DO}},
    {"parallel loop", {POMP2_PARALLEL, POMP2_FOR}},
    {"parallel sections", {POMP2_PARALLEL_SECTIONS}},
    {"parallel workshare", {POMP2_PARALLEL_WORKSHARE}},
    {"parallel master", {POMP2_PARALLEL, POMP2_MASTER}},
    {"parallel masked", {POMP2_PARALLEL, POMP2_MASTER}},
    {"parallel master taskloop", {POMP2_PARALLEL, POMP2_MASTER, POMP2_TASKWAIT}},
    {"parallel master taskloop simd", {POMP2_PARALLEL, POMP2_MASTER, POMP2_TASKWAIT}},
    {"parallel masked taskloop", {POMP2_PARALLEL, POMP2_MASTER, POMP2_TASKWAIT}},
    {"parallel masked taskloop simd", {POMP2_PARALLEL, POMP2_MASTER, POMP2_TASKWAIT}},
    {"for", {POMP2_FOR}},
    {"for simd", {POMP2_FOR}},
    {"do", {POMP2_DO}},
    {"do simd", {POMP2_DO}},
    {"loop", {POMP2_FOR}},
    {"sections", {POMP2_SECTIONS}},
    {"single", {POMP2_SINGLE}},
    {"workshare", {POMP2_WORKSHARE}},
    {"scope", {POMP2_WORKSHARE}},
    {"barrier", {POMP2_BARRIER}},
    {"critical", {POMP2_CRITICAL}},
    {"ordered", {POMP2_ORDERED}},
    {"atomic", {POMP2_ATOMIC}},
    {"flush", {POMP2_FLUSH}},
    {"master", {POMP2_MASTER}},
    {"masked", {POMP2_MASTER}},
    {"task", {POMP2_TASK, POMP2_TASKWAIT}},
    {"taskwait", {POMP2_TASKWAIT}},
    {"taskyield", {POMP2_TASKWAIT}},
    {"taskgroup", {POMP2_TASKWAIT}},
    {"taskloop", {POMP2_TASKWAIT}},
    {"taskloop simd", {POMP2_TASKWAIT}},
    {"master taskloop", {POMP2_TASKWAIT}},
    {"master taskloop simd", {POMP2_TASKWAIT}},
    {"masked taskloop", {POMP2_TASKWAIT}},
    {"masked taskloop simd", {POMP2_TASKWAIT}},
};

static bool asks_for_user_regions(void) {
  const char *value = getenv("POMP_POMP2_USER");
  return value && *value && strcmp(value, "0") != 0;
}

int pomp2_types_of(const OMPRegDescr *d, enum pomp2_type types[POMP2_MOST_TYPES]) {
  int count = 0;
  for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
    if (!strcmp(d->name, rows[row].words)) {
      while (count < POMP2_MOST_TYPES && rows[row].types[count] != POMP2_NONE) {
        types[count] = rows[row].types[count];
        count++;
      }
      return count;
    }
  if (strcmp(d->name, "lock") != 0 && asks_for_user_regions())
    types[count++] = POMP2_USER;
  return count;
}

static void print_name(FILE *text, const char *name) {
  for (; *name; name++)
    fputc(*name == ':' || *name == '*' ? '?' : *name, text);
}

static void print_place(FILE *text, const char *key, const char *file, int first, int last) {
  fprintf(text, "*%s=", key);
  print_name(text, file);
  fprintf(text, ":%d:%d", first, last);
}

static int later(int line, int than) { return line > than ? line : than; }

static void print_keys(FILE *text, const OMPRegDescr *d, enum pomp2_type type) {
  int opened = later(d->begin_lineN, d->begin_line1), closed = later(d->end_line1, opened);
  const char *file = d->file_name ? d->file_name : "", *name = d->sub_name ? d->sub_name : "";
  fprintf(text, "*regionType=%s", names[type]);
  print_place(text, "sscl", file, d->begin_line1, opened);
  print_place(text, "escl", file, closed, later(d->end_lineN, closed));
  if (type == POMP2_SECTIONS || type == POMP2_PARALLEL_SECTIONS)
    fprintf(text, "*numSections=%d", later(d->num_sections, 1));
  if (type == POMP2_CRITICAL && *name) {
    fputs("*criticalName=", text);
    print_name(text, name);
  }
  if (type == POMP2_TASK && d->flags & POMP_UNTIED)
    fputs("*hasUntied=1", text);
  if (type == POMP2_USER) {
    fputs("*userRegionName=", text);
    print_name(text, *name ? name : d->name);
  }
  fputs("**", text);
}

char *pomp2_contract(const OMPRegDescr *d, enum pomp2_type type) {
  char *keys = NULL, *contract = NULL;
  size_t length = 0;
  FILE *text = open_memstream(&keys, &length);
  if (!text)
    return NULL;
  print_keys(text, d, type);
  if (fclose(text) == 0 && asprintf(&contract, "%zu%s", length, keys) < 0)
    contract = NULL;
  free(keys);
  return contract;
}
