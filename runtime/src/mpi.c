/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "mpi.h"

#include "arena.h"
#include "event.h"
#include "slow.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = POMP_BLOCK_PATHS, BLOCKS = POMP_COUNTER_BLOCKS, COLUMNS = POMP_MPI_COLUMNS };

struct pomp_mpi {
  uintptr_t inside; /* where the outermost call under way stands on the stack; 0: none */
  uint64_t nowhere[COLUMNS];
  uint64_t *blocks[BLOCKS]; /* by call path / BLOCK; path 0 is what is in no region */
};

static bool minimal;

void pomp_mpi_start(const struct pomp_settings *settings) { minimal = settings->mpi_minimal; }

static struct pomp_mpi *make(struct pomp_thread *t) {
  if (!t->mpi && pomp_slow_begin()) {
    t->mpi = pomp_private(sizeof *t->mpi);
    pomp_slow_end();
  }
  return t->mpi;
}

static uint64_t *make_block(struct pomp_thread *t, uint32_t block) {
  const size_t values = (size_t)BLOCK * COLUMNS;
  struct pomp_profile_record *r = NULL;
  if (!pomp_slow_begin())
    return NULL;
  r = pomp_arena_record(sizeof *r + values * sizeof *r->values);
  if (r) {
    r->location = t->location->id;
    r->first_path = block * BLOCK;
    r->paths = BLOCK;
    r->columns = COLUMNS;
    pomp_arena_publish(r, POMP_RECORD_MPI);
    t->mpi->blocks[block] = r->values;
  }
  pomp_slow_end();
  return t->mpi->blocks[block];
}

static uint64_t *row_of(struct pomp_thread *t, uint32_t path) {
  uint64_t *block = t->mpi->blocks[path / BLOCK];
  if (!block && !(block = make_block(t, path / BLOCK)))
    return t->mpi->nowhere;
  return block + (size_t)(path % BLOCK) * COLUMNS;
}

const uint64_t *pomp_mpi_block(const struct pomp_thread *t, uint32_t block) {
  return t->mpi ? t->mpi->blocks[block] : NULL;
}

/* MPI may call back what calls MPI, and an error handler may leave a call for good: one that
 * stands further up on the stack is not within it. */
void pomp_mpi_begin(struct pomp_mpi_call *call) {
  struct pomp_thread *t = pomp_arrive();
  struct pomp_mpi *m = t && !pomp_is_muted() ? make(t) : NULL;
  memset(call, 0, sizeof *call);
  call->minimal = minimal;
  if (!m)
    return;
  call->thread = t;
  if (m->inside && (uintptr_t)call < m->inside)
    return;
  m->inside = (uintptr_t)call;
  call->start = pomp_stamp(t);
  t->location->mpi_path = pomp_path_of(pomp_here(t));
  t->location->mpi_since = call->start;
}

static void book(uint64_t *row, const struct pomp_mpi_volume *v) {
  row[POMP_MPI_IN_V] += v->in;
  row[POMP_MPI_OUT_V] += v->out;
  row[POMP_MPI_RECV_C] += v->receives;
  row[POMP_MPI_SEND_C] += v->sends;
  row[POMP_MPI_COLL_C] += v->collectives;
}

void pomp_mpi_end(struct pomp_mpi_call *call) {
  struct pomp_thread *t = call->thread;
  if (!t || !pomp_is_running())
    return;
  uint64_t now = pomp_stamp(t);
  uint64_t *row = row_of(t, pomp_path_of(pomp_here(t)));
  book(row, &call->volume);
  if (!call->start)
    return;
  t->location->mpi_since = 0;
  row[POMP_MPI_T] += pomp_elapsed(call->start, now);
  t->mpi->inside = 0;
}

static void describe(const char *key, const char *value) {
  pomp_arena_text(key, value, strlen(value));
}

static void describe_number(const char *key, int value) {
  char text[16];
  snprintf(text, sizeof text, "%d", value);
  describe(key, text);
}

void pomp_mpi_started(const struct pomp_mpi_process *process) {
  if (!pomp_start() || !pomp_slow_begin())
    return;
  describe_number("mpi_rank", process->rank);
  describe_number("mpi_size", process->size);
  describe("mpi_thread_level", process->thread_level);
  describe("mpi_library", process->library);
  describe("mpi_volume", minimal ? "minimal" : "naive");
  pomp_slow_end();
}

void pomp_mpi_restart(struct pomp_thread *t) {
  struct pomp_mpi *m = t->mpi;
  t->location->mpi_since = 0;
  for (uint32_t block = 0; m && block < BLOCKS; block++)
    if (m->blocks[block])
      memset(m->blocks[block], 0, (size_t)BLOCK * COLUMNS * sizeof(uint64_t));
}
