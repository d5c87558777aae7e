/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "mpi/mpi.h"

#include "events/event.h"
#include "location/arena.h"
#include "location/service.h"
#include "mpi/call_site.h"
#include "system/init_lock.h"
#include "system/settings.h"

#include <string.h>

enum { BLOCK = POMP_BLOCK_PATHS, BLOCKS = POMP_COUNTER_BLOCKS, COLUMNS = POMP_MPI_COLUMNS };

struct pomp_mpi {
  uintptr_t inside; /* where the outermost call under way stands on the stack; 0: none */
  uint64_t serial;  /* of the newest request */
  struct pomp_call_sites *sites;
  uint64_t nowhere[COLUMNS];
  uint64_t *blocks[BLOCKS]; /* by call path / BLOCK; path 0 is outside of all regions */
};

struct pomp_mpi_wanted pomp_mpi_wanted;

static void start(const struct pomp_settings *settings) {
  pomp_mpi_wanted = (struct pomp_mpi_wanted){settings->mpi_minimal, settings->mpi_clocks};
}

static struct pomp_mpi *make(struct pomp_thread *t) {
  if (!t->mpi && pomp_init_lock()) {
    t->mpi = pomp_private(sizeof *t->mpi);
    pomp_init_unlock();
  }
  return t->mpi;
}

static uint64_t *make_block(struct pomp_thread *t, uint32_t block) {
  const size_t values = (size_t)BLOCK * COLUMNS;
  struct pomp_profile_record *r = NULL;
  if (!pomp_init_lock())
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
  pomp_init_unlock();
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

static void record_enter(struct pomp_thread *t, unsigned event, uint64_t now, unsigned function,
                         uint32_t site) {
  uint64_t value = (uint64_t)site << POMP_MPI_SITE_SHIFT | function;
  pomp_trace_put_value(t, POMP_TRACE_MPI + event, pomp_path_of(pomp_here(t)), now, value);
}

/* MPI may call back a function that calls MPI, and an error handler may leave a call for good.  So
 * a call is inside another one only if it stands further down on the stack. */
void pomp_mpi_begin_at(struct pomp_mpi_call *call, unsigned function, const void *site) {
  struct pomp_thread *t = pomp_arrive();
  struct pomp_mpi *m = t && !pomp_is_muted() ? make(t) : NULL;
  memset(call, 0, sizeof *call);
  call->minimal = pomp_mpi_wanted.minimal;
  call->is_init = function & POMP_MPI_INIT;
  function &= ~POMP_MPI_INIT;
  if (!m)
    return;
  call->thread = t;
  call->recorded = pomp_traces;
  if (m->inside && (uintptr_t)call < m->inside) {
    if (call->recorded)
      record_enter(t, POMP_MPI_ENTERS_WITHIN, pomp_stamp(t), function,
                   pomp_call_site(&m->sites, site, call));
    return;
  }
  uint32_t number = call->recorded ? pomp_call_site(&m->sites, site, call) : 0;
  m->inside = (uintptr_t)call;
  call->start = pomp_stamp(t);
  t->location->mpi_path = pomp_path_of(pomp_here(t));
  t->location->mpi_since = call->start;
  if (call->recorded)
    record_enter(t, POMP_MPI_ENTERS, call->start, function, number);
}

void pomp_mpi_begin(struct pomp_mpi_call *call, unsigned function) {
  pomp_mpi_begin_at(call, function, NULL);
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
  if (call->recorded)
    pomp_trace_put(t, POMP_TRACE_MPI + (call->start ? POMP_MPI_LEAVES : POMP_MPI_LEAVES_WITHIN),
                   pomp_path_of(pomp_here(t)), now);
  if (!call->start)
    return;
  t->location->mpi_since = 0;
  uint64_t took = pomp_elapsed(call->start, now);
  row[POMP_MPI_T] += took;
  if (call->is_init)
    row[POMP_MPI_INIT_T] += took;
  t->mpi->inside = 0;
}

static uint64_t counts_of(const struct pomp_mpi_about *about, const struct pomp_mpi_volume *v) {
  return v->sends | v->receives << 8 | v->collectives << 16 |
         (about->in_parts ? POMP_MPI_IN_PARTS : 0);
}

/* Records the rank and the amounts that the operation's role has. */
static void record_operation(struct pomp_thread *t, const struct pomp_mpi_about *about,
                             enum pomp_mpi_role role, enum pomp_mpi_state state,
                             const struct pomp_mpi_volume *v) {
  bool receives = role == POMP_MPI_RECEIVES, settled = state != POMP_MPI_BEGUN;
  uint32_t rank = (uint32_t)(receives ? about->source : about->rank);
  uint32_t tag = (uint32_t)(receives ? about->source_tag : about->tag);
  uint64_t values[POMP_TRACE_MOST_VALUES] = {
      (uint64_t)about->group << 32 | tag,
      settled ? counts_of(about, v) << 32 | rank : rank,
  };
  unsigned count = 2;
  if (state != POMP_MPI_PREPARED && (settled || role == POMP_MPI_SENDS)) {
    if (!receives)
      values[count++] = v->out;
    if (role != POMP_MPI_SENDS)
      values[count++] = v->in;
  }
  if (state != POMP_MPI_WHOLE)
    values[count++] = about->serial;
  unsigned event = POMP_MPI_OPERATION + role * POMP_MPI_STATES + state;
  pomp_trace_put_values(t, POMP_TRACE_MPI + event, pomp_path_of(pomp_here(t)), t->location->last,
                        values, count);
}

void pomp_mpi_tell(const struct pomp_mpi_call *call, const struct pomp_mpi_about *about,
                   enum pomp_mpi_state state, const struct pomp_mpi_volume *volume) {
  struct pomp_thread *t = call->thread;
  if (!t || !pomp_is_running())
    return;
  if (about->role > POMP_MPI_RECEIVES) {
    record_operation(t, about, about->role, state, volume);
    return;
  }
  struct pomp_mpi_volume out = {.out = volume->out, .sends = volume->sends};
  struct pomp_mpi_volume in = {.in = volume->in, .receives = volume->receives};
  if (out.sends)
    record_operation(t, about, POMP_MPI_SENDS, state, &out);
  if (in.receives)
    record_operation(t, about, POMP_MPI_RECEIVES, state, &in);
}

/* The location and its own count: other locations count at the same time. */
uint64_t pomp_mpi_serial(const struct pomp_mpi_call *call) {
  struct pomp_thread *t = call->thread;
  return (uint64_t)t->location->id << 36 | ++t->mpi->serial;
}

uint64_t pomp_mpi_ticks(void) { return pomp_now(); }

static void restart(struct pomp_thread *t, bool lives, uint64_t now) {
  struct pomp_mpi *m = t->mpi;
  (void)lives, (void)now;
  t->location->mpi_since = 0;
  for (uint32_t block = 0; m && block < BLOCKS; block++)
    if (m->blocks[block])
      memset(m->blocks[block], 0, (size_t)BLOCK * COLUMNS * sizeof(uint64_t));
}

const struct pomp_service pomp_mpi_service = {.start = start, .restart = restart};
