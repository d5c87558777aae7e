/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations that are complete later than the call that begins them, and the calls that complete
 * them.  A request is held while MPI may complete it: the handle is another's as soon as it has. */
#ifndef POMP_MPI_REQUESTS_H
#define POMP_MPI_REQUESTS_H

#include "told.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { POMP_MPI_FEW = 16 };

struct pomp_mpi_completion {
  int count;
  MPI_Request *requests;
  struct pomp_mpi_request **held;
  uint64_t *keys;
  MPI_Status *statuses; /* NULL: the caller wants none, and nor do we */
  void *many, *many_statuses;
  struct pomp_mpi_request *few_held[POMP_MPI_FEW];
  uint64_t few_keys[POMP_MPI_FEW];
  MPI_Status few_statuses[POMP_MPI_FEW];
};

/* Neither 0 nor 1. */
static inline uint64_t pomp_mpi_key(MPI_Request request) {
  uint64_t bits = 0;
  memcpy(&bits, &request, sizeof request < sizeof bits ? sizeof request : sizeof bits);
  return bits << 2 | 2;
}

static inline void pomp_mpi_take_status(struct pomp_mpi_volume *v, uint32_t from,
                                        const MPI_Status *status) {
  MPI_Count bytes = 0;
  if (from == POMP_MPI_KNOWN)
    return;
  PMPI_Get_elements_x(status, MPI_BYTE, &bytes);
  if (bytes > 0)
    *(from == POMP_MPI_ARRIVED ? &v->in : &v->out) += (uint64_t)bytes;
}

/* A call that has begun an operation; it was successful. */
static inline void pomp_mpi_begun(struct pomp_mpi_call *call, const MPI_Request *request,
                                  const struct pomp_mpi_volume *volume, bool persistent) {
  bool pending =
      *request != MPI_REQUEST_NULL && pomp_mpi_pend(pomp_mpi_key(*request), volume, persistent);
  if (!pending && !persistent)
    pomp_mpi_add(&call->volume, volume);
}

static inline void pomp_mpi_activate(const MPI_Request *requests, int count) {
  for (int i = 0; i < count; i++) {
    uint64_t key = pomp_mpi_key(requests[i]);
    struct pomp_mpi_request *r = pomp_mpi_hold(key);
    if (r) {
      r->active = true;
      pomp_mpi_let_go(r, key);
    }
  }
}

/* Whether it came to that is asked when it is complete. */
static inline void pomp_mpi_cancel(const MPI_Request *request) {
  uint64_t key = pomp_mpi_key(*request);
  struct pomp_mpi_request *r = pomp_mpi_hold(key);
  if (r) {
    r->cancelled = true;
    pomp_mpi_let_go(r, key);
  }
}

static inline bool pomp_mpi_make_room(struct pomp_mpi_completion *c, int count) {
  c->held = c->few_held;
  c->keys = c->few_keys;
  c->many = c->many_statuses = NULL;
  if (count > POMP_MPI_FEW) {
    c->many = malloc((size_t)count * (sizeof *c->held + sizeof *c->keys));
    c->held = c->many;
    c->keys = c->many ? (uint64_t *)(void *)(c->held + count) : NULL;
  }
  return c->held != NULL;
}

static inline MPI_Status *pomp_mpi_own_statuses(struct pomp_mpi_completion *c, int count) {
  if (count <= POMP_MPI_FEW)
    return c->few_statuses;
  return c->many_statuses = malloc((size_t)count * sizeof(MPI_Status));
}

/* Before the call; returns the statuses to call it with, which are `given` where the caller
 * wants them (not `ignored`) or nobody needs them. */
static inline MPI_Status *pomp_mpi_completing(struct pomp_mpi_completion *c, MPI_Request *requests,
                                              int count, MPI_Status *given, bool ignored) {
  bool needed = false;
  c->requests = requests;
  c->count = count > 0 && requests && pomp_mpi_make_room(c, count) ? count : 0;
  if (!c->count)
    c->many = c->many_statuses = NULL;
  for (int i = 0; i < c->count; i++) {
    bool is_one = requests[i] != MPI_REQUEST_NULL;
    c->keys[i] = pomp_mpi_key(requests[i]);
    c->held[i] = is_one ? pomp_mpi_hold(c->keys[i]) : NULL;
    needed |= c->held[i] && (c->held[i]->volume.status || c->held[i]->cancelled);
  }
  c->statuses = ignored ? NULL : given;
  if (!needed || !ignored)
    return given;
  c->statuses = pomp_mpi_own_statuses(c, count);
  return c->statuses ? c->statuses : given;
}

static inline bool pomp_mpi_was_cancelled(const struct pomp_mpi_request *r,
                                          const MPI_Status *status) {
  int cancelled = 0;
  if (r->cancelled && status)
    PMPI_Test_cancelled(status, &cancelled);
  return cancelled != 0;
}

static inline void pomp_mpi_complete(struct pomp_mpi_completion *c, struct pomp_mpi_volume *v,
                                     int i, const MPI_Status *status) {
  struct pomp_mpi_request *r = i >= 0 && i < c->count ? c->held[i] : NULL;
  if (!r)
    return;
  c->held[i] = NULL;
  if (r->active && !pomp_mpi_was_cancelled(r, status)) {
    pomp_mpi_add(v, &r->volume);
    if (status)
      pomp_mpi_take_status(v, r->volume.status, status);
  }
  r->active = r->cancelled = false;
  if (r->persistent)
    pomp_mpi_let_go(r, c->keys[i]);
  else
    pomp_mpi_drop(r);
}

/* What the call has not completed stays; what MPI has taken back, as it failed, does not. */
static inline void pomp_mpi_keep(struct pomp_mpi_completion *c) {
  for (int i = 0; i < c->count; i++)
    if (c->held[i] && pomp_mpi_key(c->requests[i]) == c->keys[i])
      pomp_mpi_let_go(c->held[i], c->keys[i]);
    else if (c->held[i])
      pomp_mpi_drop(c->held[i]);
  free(c->many);
  free(c->many_statuses);
}

/* After the call: all are complete; of an array some may have failed. */
static inline void pomp_mpi_completed_all(struct pomp_mpi_completion *c, struct pomp_mpi_volume *v,
                                          int result, int done) {
  bool some = result == MPI_ERR_IN_STATUS && c->statuses;
  if (done && (result == MPI_SUCCESS || some))
    for (int i = 0; i < c->count; i++)
      if (!some || c->statuses[i].MPI_ERROR == MPI_SUCCESS)
        pomp_mpi_complete(c, v, i, c->statuses ? &c->statuses[i] : NULL);
  pomp_mpi_keep(c);
}

static inline void pomp_mpi_completed_one(struct pomp_mpi_completion *c, struct pomp_mpi_volume *v,
                                          int result, int index) {
  if (result == MPI_SUCCESS && index != MPI_UNDEFINED)
    pomp_mpi_complete(c, v, index, c->statuses);
  pomp_mpi_keep(c);
}

static inline void pomp_mpi_completed_some(struct pomp_mpi_completion *c, struct pomp_mpi_volume *v,
                                           int result, int count, const int *indices) {
  bool some = result == MPI_ERR_IN_STATUS && c->statuses;
  if (count != MPI_UNDEFINED && (result == MPI_SUCCESS || some))
    for (int i = 0; i < count; i++)
      if (!some || c->statuses[i].MPI_ERROR == MPI_SUCCESS)
        pomp_mpi_complete(c, v, indices[i], c->statuses ? &c->statuses[i] : NULL);
  pomp_mpi_keep(c);
}

/* Freed before it was seen to be complete: a send goes its way, of a receive nobody knows. */
static inline void pomp_mpi_freed(struct pomp_mpi_completion *c, struct pomp_mpi_volume *v,
                                  int result) {
  struct pomp_mpi_request *r = c->count ? c->held[0] : NULL;
  if (r && result == MPI_SUCCESS) {
    r->active = r->active && !r->volume.status && !r->cancelled;
    r->persistent = false;
    pomp_mpi_complete(c, v, 0, NULL);
  }
  pomp_mpi_keep(c);
}

#endif
