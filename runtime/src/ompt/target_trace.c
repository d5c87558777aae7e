/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompt/target_trace.h"

#include "location/arena.h"
#include "location/service.h"
#include "location/thread.h"
#include "system/init_lock.h"
#include "trace/trace.h"
#include "trace/trace_room.h"

enum {
  RECORD_BYTES = sizeof(struct pomp_device_record) +
  POMP_BLOCK_DEVICE_INTERVALS * sizeof(struct pomp_device_interval)
};

static struct pomp_device_record *newest;

/* Within the limit of the trace. */
static struct pomp_device_record *make(void) {
  bool fits = pomp_trace_room_reserve(RECORD_BYTES);
  struct pomp_device_record *r = NULL;
  if (fits && pomp_init_lock()) {
    r = pomp_arena_record(RECORD_BYTES);
    if (r) {
      r->interval_size = sizeof *r->intervals;
      r->before = (uintptr_t)newest;
      newest = r;
      pomp_arena_publish(r, POMP_RECORD_DEVICE);
    }
    pomp_init_unlock();
  }
  if (fits && !r)
    pomp_trace_room_release(RECORD_BYTES);
  if (!fits)
    pomp_trace_report_limit();
  return r;
}

void pomp_target_record(struct pomp_target_thread *own,
                        const struct pomp_device_interval *interval) {
  struct pomp_device_record *r = own->intervals;
  if (!r || r->count == POMP_BLOCK_DEVICE_INTERVALS) {
    struct pomp_device_record *another = r && r->lost ? NULL : make();
    if (!another) {
      if (r)
        r->lost++;
      return;
    }
    r = own->intervals = another;
  }
  struct pomp_thread *t = pomp_current_thread();
  struct pomp_device_interval *to = &r->intervals[r->count];
  *to = *interval;
  to->location = t ? t->location->id : POMP_NO_LOCATION;
  __atomic_store_n(&r->count, r->count + 1, __ATOMIC_RELEASE);
}

/* A child has recorded nothing. */
static void forget(void) {
  for (struct pomp_device_record *r = newest; r;
       r = (struct pomp_device_record *)(uintptr_t)r->before) {
    r->count = 0;
    r->lost = 0;
  }
}

const struct pomp_service pomp_target_trace_service = {.forget = forget};
