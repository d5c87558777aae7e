/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "record.h"

#include <stdlib.h>

struct open {
  struct pomp2_handle *handle;
  pomp2_task old;
  uint32_t base; /* of a parallel region: the base outside of it */
  enum pomp2_kind kind;
};

struct record {
  struct open *open;
  uint32_t depth, room;
  uint32_t serial; /* of the task, of those that had this record */
  bool untied;
  struct pomp2_handle *task; /* NULL: an implicit task's */
  const void *_Atomic owner; /* the chain that has it */
  struct record *next_unused;
};

struct link {
  struct record *record;
  uint32_t serial;
};

/* A thread's tasks, innermost last; `base` is that of the innermost implicit task. */
struct chain {
  struct link *links;
  uint32_t depth, room, base;
  struct record implicit;
  struct record *unused;
};

static __thread struct chain self;

static const struct {
  void (*plain)(void **);
  void (*with_task)(void **, pomp2_task);
} closing[] = {
    [POMP2_OPEN_FORK] = {NULL, POMP2_Parallel_join},
    [POMP2_OPEN_PARALLEL] = {POMP2_Parallel_end, NULL},
    [POMP2_OPEN_FOR] = {POMP2_For_exit, NULL},
    [POMP2_OPEN_SECTIONS] = {POMP2_Sections_exit, NULL},
    [POMP2_OPEN_SECTION] = {POMP2_Section_end, NULL},
    [POMP2_OPEN_SINGLE] = {POMP2_Single_exit, NULL},
    [POMP2_OPEN_SINGLE_BLOCK] = {POMP2_Single_end, NULL},
    [POMP2_OPEN_WORKSHARE] = {POMP2_Workshare_exit, NULL},
    [POMP2_OPEN_CRITICAL] = {POMP2_Critical_exit, NULL},
    [POMP2_OPEN_CRITICAL_BLOCK] = {POMP2_Critical_end, NULL},
    [POMP2_OPEN_ORDERED] = {POMP2_Ordered_exit, NULL},
    [POMP2_OPEN_ORDERED_BLOCK] = {POMP2_Ordered_end, NULL},
    [POMP2_OPEN_ATOMIC] = {POMP2_Atomic_exit, NULL},
    [POMP2_OPEN_FLUSH] = {POMP2_Flush_exit, NULL},
    [POMP2_OPEN_MASTER] = {POMP2_Master_end, NULL},
    [POMP2_OPEN_BARRIER] = {NULL, POMP2_Barrier_exit},
    [POMP2_OPEN_IMPLICIT_BARRIER] = {NULL, POMP2_Implicit_barrier_exit},
    [POMP2_OPEN_TASKWAIT] = {NULL, POMP2_Taskwait_end},
    [POMP2_OPEN_UNSEEN_WAIT] = {NULL, POMP2_Taskwait_end},
    [POMP2_OPEN_CREATION] = {NULL, POMP2_Task_create_end},
    [POMP2_OPEN_UNTIED_CREATION] = {NULL, POMP2_Untied_task_create_end},
    [POMP2_OPEN_USER] = {NULL, NULL},
};

static void *more(void *array, uint32_t *room, size_t size) {
  uint32_t wanted = *room ? 2 * *room : 16;
  void *larger = realloc(array, wanted * size);
  if (!larger)
    abort();
  *room = wanted;
  return larger;
}

static void append(struct record *record) {
  if (self.depth == self.room)
    self.links = more(self.links, &self.room, sizeof *self.links);
  self.links[self.depth++] = (struct link){record, record->serial};
  record->owner = &self;
}

/* A record that this thread still has: an untied task may be on another thread, or over. */
static struct record *record_at(uint32_t place) {
  const struct link *link = &self.links[place];
  bool is_ours = link->record->owner == &self && link->record->serial == link->serial;
  return is_ours ? link->record : NULL;
}

/* Return the calling thread's chain, whose last task is this thread's. */
static struct chain *chain(void) {
  if (!self.depth)
    append(&self.implicit);
  while (self.depth > 1 && !record_at(self.depth - 1))
    self.depth--;
  return &self;
}

static void close_last(struct record *record) {
  struct open open = record->open[--record->depth];
  void **handle = &open.handle->library;
  if (open.kind == POMP2_OPEN_PARALLEL)
    self.base = open.base;
  if (open.kind == POMP2_OPEN_USER && POMP2_End)
    POMP2_End(handle);
  else if (closing[open.kind].plain)
    closing[open.kind].plain(handle);
  else if (closing[open.kind].with_task)
    closing[open.kind].with_task(handle, open.old);
}

static void close_to(struct record *record, uint32_t depth) {
  while (record->depth > depth)
    close_last(record);
}

static void end_last(void) {
  struct record *record = record_at(--self.depth);
  if (!record)
    return;
  close_to(record, 0);
  (record->untied ? POMP2_Untied_task_end : POMP2_Task_end)(&record->task->library);
  record->owner = NULL;
  record->serial++;
  record->next_unused = self.unused;
  self.unused = record;
  struct record *outside = record_at(self.depth - 1);
  if (outside && outside->depth && outside->open[outside->depth - 1].kind == POMP2_OPEN_UNSEEN_WAIT)
    close_last(outside);
}

/* End the tasks above a place of the chain. */
static void end_above(uint32_t place) {
  while (self.depth > place + 1)
    end_last();
}

void pomp2_push(enum pomp2_kind kind, struct pomp2_handle *handle, pomp2_task old) {
  struct chain *own = chain();
  struct record *record = own->links[own->depth - 1].record;
  if (record->depth == record->room)
    record->open = more(record->open, &record->room, sizeof *record->open);
  record->open[record->depth++] = (struct open){handle, old, own->base, kind};
  if (kind == POMP2_OPEN_PARALLEL)
    own->base = own->depth - 1;
}

/* Return the depth behind the newest such region in a record, 0 if there is none. */
static uint32_t depth_of(const struct record *record, enum pomp2_kind kind,
                         const struct pomp2_handle *handle) {
  uint32_t depth = record->depth;
  while (depth &&
         (record->open[depth - 1].kind != kind || record->open[depth - 1].handle != handle))
    depth--;
  return depth;
}

void pomp2_pop(enum pomp2_kind kind, const struct pomp2_handle *handle) {
  uint32_t place = chain()->depth, depth = 0;
  struct record *record = NULL;
  while (!depth && place) {
    record = record_at(--place);
    depth = record ? depth_of(record, kind, handle) : 0;
  }
  if (!depth)
    return;
  end_above(place);
  close_to(record, depth - 1);
}

bool pomp2_is_master_of(const struct pomp2_handle *handle) {
  const struct chain *own = chain();
  const struct record *record = own->links[own->depth - 1].record;
  const struct open *last = record->depth ? &record->open[record->depth - 1] : NULL;
  return last && last->kind == POMP2_OPEN_FORK && last->handle == handle;
}

void pomp2_leave_all(void) {
  chain();
  end_above(0);
  close_to(&self.implicit, 0);
  self.base = 0;
}

void pomp2_leave_tasks(void) {
  chain();
  end_above(self.base);
}

static struct record *take(void) {
  struct record *record = self.unused;
  if (record) {
    self.unused = record->next_unused;
    return record;
  }
  record = calloc(1, sizeof *record);
  if (!record)
    abort();
  return record;
}

/* Return True if the newest open region of a task ends with the library's return to the task.  An
 * implicit task without an open region is in the barrier behind it. */
static bool returns(const struct record *record) {
  return record->depth ? closing[record->open[record->depth - 1].kind].with_task != NULL
                       : record->task == NULL;
}

void pomp2_begin_task(struct pomp2_handle *handle, struct pomp2_handle *wait, bool untied) {
  const struct chain *own = chain();
  if (wait && !returns(own->links[own->depth - 1].record)) {
    pomp2_task old = 0;
    POMP2_Taskwait_begin(&wait->library, &old, wait->contract);
    pomp2_push(POMP2_OPEN_UNSEEN_WAIT, wait, old);
  }
  struct record *record = take();
  record->task = handle;
  record->untied = untied;
  append(record);
}

void pomp2_end_task(const struct pomp2_handle *handle) {
  uint32_t place = chain()->depth;
  while (--place > 0) {
    const struct record *record = record_at(place);
    if (record && record->task == handle) {
      end_above(place);
      end_last();
      return;
    }
  }
}

void *pomp2_record_of_task(void) {
  const struct chain *own = chain();
  return own->depth - 1 > own->base ? own->links[own->depth - 1].record : NULL;
}

void pomp2_resume(void *task) {
  struct record *record = task;
  if (!record) {
    pomp2_leave_tasks();
    return;
  }
  for (uint32_t place = chain()->depth; place-- > 0;)
    if (record_at(place) == record) {
      end_above(place);
      return;
    }
  append(record);
}
