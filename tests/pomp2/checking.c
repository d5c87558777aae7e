/* A POMP2 library that checks what it is called with: handles assigned before the first event, the
 * contract as strictly as OPARI2's parser, the nesting of regions in each task, and that a thread gets
 * its own task back. At the end, on stderr: "LINE TYPE EVENT COUNT", and "FAULT TEXT". */
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGIONS = 512, EVENTS = 96, TASKS = 1 << 16, DEPTH = 48, FAULTS = 20 };

struct region {
  char type[32];
  int line;
};

struct open {
  const struct region *region;
  const char *what;
};

struct task {
  int depth;
  struct open open[DEPTH];
};

static struct region regions[REGIONS];
static int region_count;
static const char *event_names[EVENTS];
static atomic_ulong counts[EVENTS][REGIONS], lock_counts[EVENTS];
static struct task tasks[TASKS];
static atomic_int task_count = 1; /* 0 is the program's initial task */
static atomic_int fault_count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int64_t current = -1; /* not known yet */
static _Thread_local int64_t outside[DEPTH];
static _Thread_local int outside_depth;

void POMP2_Init_regions(void);
size_t POMP2_Get_num_regions(void);
void POMP2_USER_Init_regions(void);
size_t POMP2_USER_Get_num_regions(void);

static void fault(const char *text, const char *event, const struct region *r) {
  if (atomic_fetch_add(&fault_count, 1) < FAULTS)
    fprintf(stderr, "FAULT %s: %s of %s, line %d\n", text, event, r ? r->type : "?",
            r ? r->line : 0);
}

static int event_number(const char *event) {
  pthread_mutex_lock(&mutex);
  int i = 0;
  while (event_names[i] && strcmp(event_names[i], event) != 0)
    i++;
  event_names[i] = event;
  pthread_mutex_unlock(&mutex);
  return i;
}

static const char *const types[] = {
    "atomic", "barrier", "critical", "do", "flush", "for", "master", "ordered", "parallel",
    "paralleldo", "parallelfor", "parallelsections", "parallelworkshare", "sections", "single",
    "task", "taskwait", "workshare", "userRegion"};
static const char *const keys[] = {"regionType",  "sscl",      "escl",           "criticalName",
                                   "numSections", "userRegionName", "userGroupName",
                                   "hasCollapse", "hasCopyIn", "hasCopyPrivate", "hasDefault",
                                   "hasFirstPrivate", "hasIf", "hasLastPrivate", "hasNowait",
                                   "hasNum_threads", "hasOrdered", "hasReduction", "hasSchedule",
                                   "hasShared", "hasUntied"};

static bool is_one_of(const char *word, size_t length, const char *const *known, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strlen(known[i]) == length && !strncmp(known[i], word, length))
      return true;
  return false;
}

#define IS_ONE_OF(word, length, known)                                                             \
  is_one_of(word, length, known, sizeof known / sizeof *known)

static bool two_lines(const char *value, int *first, int *last) {
  const char *colon = strchr(value, ':');
  return colon && sscanf(colon, ":%d:%d", first, last) == 2;
}

/* Read "length*key=value*...**" as OPARI2's parser does, which ends the program at an error. */
static void parse(struct region *r, const char *contract) {
  int first = 0, last = 0, end_first = 0, end_last = 0;
  const char *at = strchr(contract, '*');
  while (at && at[1] != '*') {
    const char *key = at + 1, *equals = strchr(key, '='), *end = strchr(key, '*');
    if (!equals || !end || equals > end || !IS_ONE_OF(key, (size_t)(equals - key), keys)) {
      fault("a contract with an unknown key", contract, NULL);
      return;
    }
    if (!strncmp(key, "regionType", 10)) {
      snprintf(r->type, sizeof r->type, "%.*s", (int)(end - equals - 1), equals + 1);
      if (!IS_ONE_OF(r->type, strlen(r->type), types))
        fault("a contract with an unknown type", contract, NULL);
    } else if (!strncmp(key, "sscl", 4) && !two_lines(equals, &first, &last)) {
      fault("a contract without lines", contract, NULL);
    } else if (!strncmp(key, "escl", 4) && !two_lines(equals, &end_first, &end_last)) {
      fault("a contract without lines", contract, NULL);
    } else if (!strncmp(key, "numSections", 11) && atoi(equals + 1) < 1) {
      fault("a contract without sections", contract, NULL);
    }
    at = end;
  }
  r->line = first;
  if (!at || first > last || last > end_first || end_first > end_last || !*r->type)
    fault("a contract whose lines do not ascend", contract, NULL);
}

void POMP2_Assign_handle(void **handle, const char contract[]) {
  pthread_mutex_lock(&mutex);
  struct region *r = &regions[region_count++];
  pthread_mutex_unlock(&mutex);
  if (*handle)
    fault("a handle that is assigned twice", contract, NULL);
  parse(r, contract);
  *handle = r;
}

void POMP2_USER_Assign_handle(void **handle, const char contract[]) {
  POMP2_Assign_handle(handle, contract);
}

__attribute__((constructor(200))) static void start(void) {
  current = 0;
  size_t announced = POMP2_Get_num_regions() + POMP2_USER_Get_num_regions();
  POMP2_Init_regions();
  POMP2_USER_Init_regions();
  if ((size_t)region_count > announced)
    fault("more regions than announced", "start", NULL);
}

static const struct region *count(void **handle, const char *event) {
  const struct region *r = *handle;
  if (!r) {
    fault("a handle that is not assigned", event, NULL);
    return NULL;
  }
  atomic_fetch_add(&counts[event_number(event)][r - regions], 1);
  return r;
}

static int64_t new_task(void) { return atomic_fetch_add(&task_count, 1) % TASKS; }

/* A thread of a team without events has a task of its own. */
static int64_t own_task(void) {
  if (current < 0)
    current = new_task();
  return current;
}

static void enter(void **handle, const char *event, const char *what) {
  const struct region *r = count(handle, event);
  struct task *task = &tasks[own_task()];
  if (task->depth < DEPTH)
    task->open[task->depth++] = (struct open){r, what};
}

static void leave(void **handle, const char *event, const char *what) {
  const struct region *r = count(handle, event);
  struct task *task = &tasks[own_task()];
  const struct open *last = task->depth ? &task->open[task->depth - 1] : NULL;
  if (!last || last->region != r || strcmp(last->what, what) != 0)
    fault("an end without its begin", event, r);
  else
    task->depth--;
}

#define PAIR(begin, end, what)                                                                     \
  void POMP2_##begin(void **handle, const char contract[]) {                                       \
    (void)contract;                                                                                \
    enter(handle, #begin, what);                                                                   \
  }                                                                                                \
  void POMP2_##end(void **handle) { leave(handle, #end, what); }
#define BLOCK(begin, end, what)                                                                    \
  void POMP2_##begin(void **handle) { enter(handle, #begin, what); }                               \
  void POMP2_##end(void **handle) { leave(handle, #end, what); }

PAIR(Atomic_enter, Atomic_exit, "atomic")
PAIR(Critical_enter, Critical_exit, "critical")
BLOCK(Critical_begin, Critical_end, "critical block")
PAIR(Flush_enter, Flush_exit, "flush")
PAIR(For_enter, For_exit, "for")
PAIR(Master_begin, Master_end, "master")
PAIR(Ordered_enter, Ordered_exit, "ordered")
BLOCK(Ordered_begin, Ordered_end, "ordered block")
PAIR(Section_begin, Section_end, "section")
PAIR(Sections_enter, Sections_exit, "sections")
PAIR(Single_enter, Single_exit, "single")
BLOCK(Single_begin, Single_end, "single block")
PAIR(Workshare_enter, Workshare_exit, "workshare")
PAIR(Begin, End, "user region")

int64_t POMP2_Get_new_task_handle(void) { return new_task(); }

static void keep(void **handle, int64_t *old, const char *event, const char *what) {
  enter(handle, event, what);
  *old = own_task();
}

static void get_back(void **handle, int64_t old, const char *event, const char *what) {
  current = old;
  leave(handle, event, what);
}

void POMP2_Parallel_fork(void **handle, int if_clause, int threads, int64_t *old,
                         const char contract[]) {
  (void)contract;
  if (if_clause != 1 || threads < 1)
    fault("a fork without threads", "Parallel_fork", *handle);
  keep(handle, old, "Parallel_fork", "team");
}

void POMP2_Parallel_join(void **handle, int64_t old) {
  get_back(handle, old, "Parallel_join", "team");
}

void POMP2_Parallel_begin(void **handle) {
  outside[outside_depth++] = own_task();
  current = new_task();
  enter(handle, "Parallel_begin", "parallel");
}

void POMP2_Parallel_end(void **handle) {
  leave(handle, "Parallel_end", "parallel");
  if (tasks[own_task()].depth)
    fault("a region that is open at the end of its team", "Parallel_end", *handle);
  current = outside[--outside_depth];
}

void POMP2_Barrier_enter(void **handle, int64_t *old, const char contract[]) {
  (void)contract;
  keep(handle, old, "Barrier_enter", "barrier");
}

void POMP2_Barrier_exit(void **handle, int64_t old) {
  get_back(handle, old, "Barrier_exit", "barrier");
}

void POMP2_Implicit_barrier_enter(void **handle, int64_t *old) {
  keep(handle, old, "Implicit_barrier_enter", "barrier");
}

void POMP2_Implicit_barrier_exit(void **handle, int64_t old) {
  get_back(handle, old, "Implicit_barrier_exit", "barrier");
}

void POMP2_Taskwait_begin(void **handle, int64_t *old, const char contract[]) {
  (void)contract;
  keep(handle, old, "Taskwait_begin", "taskwait");
}

void POMP2_Taskwait_end(void **handle, int64_t old) {
  get_back(handle, old, "Taskwait_end", "taskwait");
}

#define TASK(prefix)                                                                               \
  void POMP2_##prefix##ask_create_begin(void **handle, int64_t *created, int64_t *old,             \
                                        int if_clause, const char contract[]) {                    \
    (void)if_clause, (void)contract;                                                               \
    keep(handle, old, #prefix "ask_create_begin", "creation");                                     \
    *created = new_task();                                                                         \
  }                                                                                                \
  void POMP2_##prefix##ask_create_end(void **handle, int64_t old) {                                \
    get_back(handle, old, #prefix "ask_create_end", "creation");                                   \
  }                                                                                                \
  void POMP2_##prefix##ask_begin(void **handle, int64_t task) {                                    \
    if (task <= 0 || tasks[task].depth)                                                            \
      fault("a task that begins twice", #prefix "ask_begin", *handle);                             \
    current = task;                                                                                \
    enter(handle, #prefix "ask_begin", "task");                                                    \
  }                                                                                                \
  void POMP2_##prefix##ask_end(void **handle) {                                                    \
    leave(handle, #prefix "ask_end", "task");                                                      \
    if (tasks[own_task()].depth)                                                                      \
      fault("a region that is open at the end of its task", #prefix "ask_end", *handle);           \
  }

TASK(T)
TASK(Untied_t)

static void count_lock(const char *event) { atomic_fetch_add(&lock_counts[event_number(event)], 1); }

#define LOCK(name, type, routine)                                                                  \
  void POMP2_##name(void *lock) {                                                                  \
    count_lock(#name);                                                                             \
    routine((type *)lock);                                                                         \
  }
LOCK(Init_lock, omp_lock_t, omp_init_lock)
LOCK(Destroy_lock, omp_lock_t, omp_destroy_lock)
LOCK(Set_lock, omp_lock_t, omp_set_lock)
LOCK(Unset_lock, omp_lock_t, omp_unset_lock)
LOCK(Init_nest_lock, omp_nest_lock_t, omp_init_nest_lock)
LOCK(Destroy_nest_lock, omp_nest_lock_t, omp_destroy_nest_lock)
LOCK(Set_nest_lock, omp_nest_lock_t, omp_set_nest_lock)
LOCK(Unset_nest_lock, omp_nest_lock_t, omp_unset_nest_lock)

int POMP2_Test_lock(void *lock) {
  count_lock("Test_lock");
  return omp_test_lock((omp_lock_t *)lock);
}

int POMP2_Test_nest_lock(void *lock) {
  count_lock("Test_nest_lock");
  return omp_test_nest_lock((omp_nest_lock_t *)lock);
}

void POMP2_Init(void) { count_lock("Init"); }
void POMP2_Finalize(void) { count_lock("Finalize"); }
void POMP2_On(void) { count_lock("On"); }
void POMP2_Off(void) { count_lock("Off"); }

__attribute__((destructor(200))) static void print(void) {
  if (tasks[0].depth)
    fault("a region that is open at the end of the program", "the end", NULL);
  for (int e = 0; e < EVENTS && event_names[e]; e++) {
    for (int r = 0; r < region_count; r++)
      if (counts[e][r])
        fprintf(stderr, "%d %s %s %lu\n", regions[r].line, regions[r].type, event_names[e],
                counts[e][r]);
    if (lock_counts[e])
      fprintf(stderr, "0 - %s %lu\n", event_names[e], lock_counts[e]);
  }
}
