/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations that are complete later than the call that begins them, and the calls that complete
 * them.  A request is held while MPI may complete it: the handle is another's as soon as it has. */
#ifndef POMP_MPI_REQUESTS_H
#define POMP_MPI_REQUESTS_H

#include "hooks.h"
#include "operation.h"

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

static inline void pomp_mpi_note(struct pomp_mpi_call *call, struct pomp_mpi_request *r,
                                 const struct pomp_mpi_about *about) {
  r->about = *about;
  if (!about->serial)
    r->about.serial = pomp_mpi_serial(call);
  pomp_mpi_tell(call, &r->about, r->persistent ? POMP_MPI_PREPARED : POMP_MPI_BEGUN, &r->volume);
}

/* A call that has begun an operation; it was successful. */
static inline void pomp_mpi_begun(struct pomp_mpi_call *call, const MPI_Request *request,
                                  const struct pomp_mpi_volume *volume, bool persistent,
                                  const struct pomp_mpi_about *about) {
  uint64_t key = pomp_mpi_key(*request);
  struct pomp_mpi_request *r =
      *request == MPI_REQUEST_NULL ? NULL : pomp_mpi_pend(key, volume, persistent);
  if (!r && !persistent)
    pomp_mpi_add(&call->volume, volume);
  if (r && call->recorded && !about->serial)
    pomp_mpi_note(call, r, about);
  else if (r && call->recorded)
    r->about = *about;
  else if (call->recorded && !persistent)
    pomp_mpi_tell(call, about, about->serial ? POMP_MPI_COMPLETE : POMP_MPI_WHOLE, volume);
  if (r)
    pomp_mpi_let_go(r, key);
}

static inline void pomp_mpi_activate(struct pomp_mpi_call *call, const MPI_Request *requests,
                                     int count) {
  for (int i = 0; i < count; i++) {
    uint64_t key = pomp_mpi_key(requests[i]);
    struct pomp_mpi_request *r = pomp_mpi_hold(key);
    if (r) {
      r->active = true;
      if (call->recorded && r->about.serial)
        pomp_mpi_tell(call, &r->about, POMP_MPI_BEGUN, &r->volume);
      pomp_mpi_let_go(r, key);
    }
  }
}

/* The request is tested for cancellation when it is complete. */
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

/* A message that was found, and is to be received: held as a request, under a key of its own. */
static inline uint64_t pomp_mpi_message_key(MPI_Message message) {
  uint64_t bits = 0;
  memcpy(&bits, &message, sizeof message < sizeof bits ? sizeof message : sizeof bits);
  return bits << 2 | 3;
}

static inline void pomp_mpi_probed(struct pomp_mpi_call *call, int found, MPI_Comm comm,
                                   const MPI_Message *message, const MPI_Status *status) {
  struct pomp_mpi_volume volume = {.receives = 1};
  struct pomp_mpi_about about = {.group = 0};
  if (!call->recorded || !found || *message == MPI_MESSAGE_NO_PROC)
    return;
  uint64_t key = pomp_mpi_message_key(*message);
  struct pomp_mpi_request *r = pomp_mpi_pend(key, &volume, false);
  about.group = pomp_mpi_comm(comm);
  pomp_mpi_came_from(&about, status);
  if (r) {
    pomp_mpi_note(call, r, &about);
    pomp_mpi_let_go(r, key);
  }
}

/* Before it is received: what it is about. */
static inline void pomp_mpi_found(const struct pomp_mpi_call *call, const MPI_Message *message,
                                  struct pomp_mpi_about *about) {
  if (!call->recorded)
    return;
  memset(about, 0, sizeof *about);
  struct pomp_mpi_request *r = pomp_mpi_hold(pomp_mpi_message_key(*message));
  if (r) {
    *about = r->about;
    pomp_mpi_drop(r);
  }
}

/* A communicator that there is when the request is complete. */
static inline void pomp_mpi_duplicates(const struct pomp_mpi_call *call, MPI_Comm comm,
                                       const MPI_Comm *made, const MPI_Request *request) {
  struct pomp_mpi_volume none = {0};
  if (!call->recorded || !pomp_mpi_records)
    return;
  struct pomp_mpi_origin origin = pomp_mpi_origin_of(comm);
  struct pomp_mpi_about about = {.group = origin.number, .tag = (int32_t)origin.call};
  uint64_t key = pomp_mpi_key(*request);
  struct pomp_mpi_request *r =
      *request == MPI_REQUEST_NULL ? NULL : pomp_mpi_pend(key, &none, false);
  if (!r) {
    pomp_mpi_made(made, &about);
    return;
  }
  r->about = about;
  r->made = made;
  pomp_mpi_let_go(r, key);
}

/* Called before the call; returns the statuses to pass to it.  They are the caller's own, `given`,
 * unless the caller ignores them and the runtime needs them. */
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

/* Records a complete operation: `status` is that of what arrived, if anything did. */
static inline void pomp_mpi_tell_complete(struct pomp_mpi_call *call,
                                          const struct pomp_mpi_request *r,
                                          enum pomp_mpi_state state,
                                          const struct pomp_mpi_volume *volume,
                                          const MPI_Status *status) {
  struct pomp_mpi_about about = r->about;
  if (state == POMP_MPI_COMPLETE && status && r->volume.status == POMP_MPI_ARRIVED &&
      about.role <= POMP_MPI_RECEIVES)
    pomp_mpi_came_from(&about, status);
  if (about.serial)
    pomp_mpi_tell(call, &about, state, volume);
}

static inline void pomp_mpi_complete(struct pomp_mpi_completion *c, struct pomp_mpi_call *call,
                                     int i, const MPI_Status *status, enum pomp_mpi_state state) {
  struct pomp_mpi_request *r = i >= 0 && i < c->count ? c->held[i] : NULL;
  if (!r)
    return;
  c->held[i] = NULL;
  if (r->made)
    pomp_mpi_made(r->made, &r->about);
  if (r->active) {
    struct pomp_mpi_volume moved = r->volume;
    if (pomp_mpi_was_cancelled(r, status))
      state = POMP_MPI_CANCELLED;
    if (state == POMP_MPI_COMPLETE && status)
      pomp_mpi_take_status(&moved, moved.status, status);
    if (state == POMP_MPI_COMPLETE || state == POMP_MPI_FREED)
      pomp_mpi_add(&call->volume, &moved);
    if (call->recorded)
      pomp_mpi_tell_complete(call, r, state, &moved, status);
  }
  r->active = r->cancelled = false;
  if (r->persistent)
    pomp_mpi_let_go(r, c->keys[i]);
  else
    pomp_mpi_drop(r);
}

/* Requests that the call has not completed are kept; those that MPI took back after an error are
 * not. */
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
static inline void pomp_mpi_completed_all(struct pomp_mpi_completion *c, struct pomp_mpi_call *call,
                                          int result, int done) {
  bool some = result == MPI_ERR_IN_STATUS && c->statuses;
  if (done && (result == MPI_SUCCESS || some))
    for (int i = 0; i < c->count; i++)
      if (!some || c->statuses[i].MPI_ERROR == MPI_SUCCESS)
        pomp_mpi_complete(c, call, i, c->statuses ? &c->statuses[i] : NULL, POMP_MPI_COMPLETE);
  pomp_mpi_keep(c);
}

static inline void pomp_mpi_completed_one(struct pomp_mpi_completion *c, struct pomp_mpi_call *call,
                                          int result, int index) {
  if (result == MPI_SUCCESS && index != MPI_UNDEFINED)
    pomp_mpi_complete(c, call, index, c->statuses, POMP_MPI_COMPLETE);
  pomp_mpi_keep(c);
}

static inline void pomp_mpi_completed_some(struct pomp_mpi_completion *c,
                                           struct pomp_mpi_call *call, int result, int count,
                                           const int *indices) {
  bool some = result == MPI_ERR_IN_STATUS && c->statuses;
  if (count != MPI_UNDEFINED && (result == MPI_SUCCESS || some))
    for (int i = 0; i < count; i++)
      if (!some || c->statuses[i].MPI_ERROR == MPI_SUCCESS)
        pomp_mpi_complete(c, call, indices[i], c->statuses ? &c->statuses[i] : NULL,
                          POMP_MPI_COMPLETE);
  pomp_mpi_keep(c);
}

/* A request freed before it was seen to be complete: a send goes on, and the end of a receive is
 * unknown. */
static inline void pomp_mpi_freed(struct pomp_mpi_completion *c, struct pomp_mpi_call *call,
                                  int result) {
  struct pomp_mpi_request *r = c->count ? c->held[0] : NULL;
  if (r && result == MPI_SUCCESS) {
    r->persistent = false;
    pomp_mpi_complete(c, call, 0, NULL,
                      r->cancelled       ? POMP_MPI_CANCELLED
                      : r->volume.status ? POMP_MPI_LOST
                                         : POMP_MPI_FREED);
  }
  pomp_mpi_keep(c);
}

#endif
