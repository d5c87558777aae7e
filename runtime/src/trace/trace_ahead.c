/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "trace/trace_ahead.h"

#include "location/thread.h"
#include "system/own_thread.h"
#include "system/syscalls.h"
#include "system/unsanitized.h"
#include "trace/trace.h"
#include "trace/trace_room.h"

#include <limits.h>

/* Events do not wake it, that would be a system call.  At the fastest they fill the most room in
 * some three milliseconds, and who finds nothing ahead makes a block for itself.  Half a second
 * after the last one it sleeps its longest. */
#define SHORTEST_PAUSE UINT64_C(1000000) /* nanoseconds */
#define LONGEST_PAUSE UINT64_C(64000000)

static struct pomp_own_thread maker;

/* A program may rely on the numbers of its file descriptors.  From here on this thread has
 * descriptors of its own, if the kernel supports that (Linux 5.9). */
static void leave_descriptors(void) {
#ifdef SYS_close_range
  const unsigned unshare = 1u << 1; /* CLOSE_RANGE_UNSHARE of linux/close_range.h */
  (void)syscall(SYS_close_range, 0u, UINT_MAX, unshare);
#endif
}

static uint64_t round_down(uint64_t blocks) {
  while (blocks & (blocks - 1))
    blocks &= blocks - 1;
  return blocks;
}

/* Returns the size of the room to make ahead: a quarter of the trace so far in memory; half in a
 * file, which is cut at the end.  So traces of any length take little more than their events.
 * Threads that record less than a quarter of a block get none. */
static uint64_t size_ahead(uint64_t recorded, uint64_t most) {
  uint64_t blocks = (recorded + POMP_TRACE_BLOCK - 1) / POMP_TRACE_BLOCK;
  uint64_t part = blocks / (pomp_trace_room_in_memory() ? 4 : 2);
  uint64_t size = part ? round_down(part) * POMP_TRACE_BLOCK : POMP_TRACE_BLOCK;
  most = most < POMP_TRACE_MOST_ROOM ? most : POMP_TRACE_MOST_ROOM;
  if (recorded <= POMP_TRACE_BLOCK / 4)
    return 0;
  return size < most ? size : round_down(most / POMP_TRACE_BLOCK) * POMP_TRACE_BLOCK;
}

static bool make_ahead(const struct pomp_thread *t, struct pomp_trace_file *file, uint64_t most) {
  if (atomic_load_explicit(&file->left.there, memory_order_acquire)) {
    struct pomp_trace_room left = file->left.room;
    atomic_store_explicit(&file->left.there, false, memory_order_release);
    pomp_trace_room_unmap(&left);
  }
  if (atomic_load_explicit(&file->ahead.there, memory_order_acquire))
    return false;
  uint64_t recorded = pomp_trace_recorded(t), size = size_ahead(recorded, most);
  if (!size || !pomp_trace_room_reserve(size))
    return false;
  if (pomp_trace_room_make(file, size, recorded / 4, &file->ahead.room)) {
    atomic_store_explicit(&file->ahead.there, true, memory_order_release);
    return true;
  }
  pomp_trace_room_release(size);
  return false;
}

POMP_UNSANITIZED static struct pomp_trace_file *file_of(const struct pomp_thread *t) {
  return __atomic_load_n(&t->trace.file, __ATOMIC_ACQUIRE);
}

/* Room ahead of threads that then record nothing is at most an eighth of the room that the limit
 * leaves. */
static bool make_all(void) {
  bool made = false;
  uint64_t threads = 0;
  for (struct pomp_thread *t = pomp_threads; t; t = t->next)
    threads++;
  for (struct pomp_thread *t = pomp_threads; t && !atomic_load(&maker.flags); t = t->next) {
    struct pomp_trace_file *file = file_of(t);
    if (file && make_ahead(t, file, pomp_trace_room_unreserved() / 8 / threads))
      made = true;
  }
  return made;
}

static void *make(void *own) {
  uint64_t pause = SHORTEST_PAUSE;
  leave_descriptors();
  while (!(pomp_own_thread_wait(own, pause) & POMP_OWN_THREAD_OVER)) {
    pause = make_all() ? SHORTEST_PAUSE : pause + pause / 8;
    pause = pause < LONGEST_PAUSE ? pause : LONGEST_PAUSE;
  }
  return NULL;
}

void pomp_trace_ahead_start(void) { (void)pomp_own_thread_start(&maker, make); }

void pomp_trace_ahead_stop(void) { pomp_own_thread_finish(&maker); }

void pomp_trace_ahead_forget(void) { maker.runs = false; }
