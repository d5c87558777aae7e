/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "process.h"

#include "agreement.h"
#include "arena.h"
#include "calibrate.h"
#include "clock.h"
#include "counters.h"
#include "describe.h"
#include "directory.h"
#include "metrics.h"
#include "mode.h"
#include "mpi.h"
#include "rank.h"
#include "running.h"
#include "say.h"
#include "settings.h"
#include "slow.h"
#include "snapshot.h"
#include "syscalls.h"
#include "thread.h"
#include "trace.h"
#include "trace_room.h"
#include "watch.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Atomic int pomp_state = POMP_NOT_STARTED;
_Atomic bool pomp_muted;

static struct pomp_directory directory;
static bool forked, fork_holds_lock;
static bool is_wanted; /* the experiment, though no region should run */
static bool is_placed; /* it has a directory */
static bool is_verbose;

static bool place(void) {
  int fd = pomp_directory_create(&directory);
  if (fd < 0)
    return false;
  bool put = pomp_arena_put(fd, directory.file);
  int error = errno;
  sys_close(fd);
  if (!put) {
    pomp_directory_discard(&directory);
    pomp_say("cannot write %s: %s; nothing is measured", directory.file, strerror(error));
    return false;
  }
  pomp_agreement_start(directory.path);
  pomp_trace_room_place(directory.path);
  if (is_verbose)
    pomp_say("the experiment is in %s", directory.path);
  return true;
}

bool pomp_place(void) {
  if (is_placed || forked)
    return true;
  is_placed = place();
  if (!is_placed) {
    atomic_store(&pomp_state, POMP_OVER);
    pomp_modes_change();
    pomp_watch_stop();
  }
  return is_placed;
}

/* A child's experiment is named for its parent's. */
static void before_fork(void) {
  fork_holds_lock = pomp_slow_begin();
  if (fork_holds_lock && pomp_is_running())
    pomp_place();
}

static void after_fork(void) {
  if (fork_holds_lock)
    pomp_slow_end();
}

/* The file stays the parent's.  The child measures in memory, and writes that
 * out when it exits, if it has met an event by then. */
static void in_child(void) {
  pomp_watch_forget();
  if (pomp_is_running()) {
    forked = true;
    if (pomp_arena_detach()) {
      pomp_snapshots_forget();
      pomp_trace_forget();
      pomp_describe_start(pomp_header->pid);
      pomp_threads_restart(pomp_header->start);
    } else {
      atomic_store(&pomp_state, POMP_OVER);
      pomp_modes_change();
    }
  }
  after_fork();
}

static const char *recording(const struct pomp_settings *settings) {
  if (!settings->trace)
    return NULL;
  return settings->trace_at_end ? "at end" : "mapped";
}

static bool start(void) {
  struct pomp_settings settings = pomp_settings_read();
  if (!settings.profile || !pomp_directory_choose(&directory, settings.experiment_dir))
    return false;
  if (!pomp_arena_open()) {
    pomp_say("no memory for the experiment: %s; nothing is measured", strerror(errno));
    return false;
  }
  pomp_clock_start(settings.tsc);
  pomp_describe_start(0);
  pomp_header->start = pomp_clock_loaded();
  pomp_describe_process(recording(&settings));
  is_wanted = settings.experiment_dir || pomp_rank() >= 0;
  is_verbose = settings.verbose;
  if (is_wanted && !pomp_place())
    return false;
  if (!pomp_threads_prepare() || pthread_atfork(before_fork, after_fork, in_child) != 0) {
    pomp_say("cannot follow the process's threads; nothing is measured");
    return false;
  }
  at_quick_exit(pomp_end);
  pomp_metrics_choose(settings.metrics);
  pomp_metrics_describe(settings.metrics);
  pomp_mpi_start(&settings);
  pomp_snapshots_limit(settings.snapshot_limit);
  pomp_trace_start(&settings);
  pomp_watch_start(&settings);
  return true;
}

/* Counted from here on, though the first event may come late. */
static void count_initial_thread(void) {
  if (pomp_metric_count && pomp_is_running() && !pomp_self->location)
    pomp_thread_attach();
}

bool pomp_start(void) {
  bool starts = false;
  if (atomic_load(&pomp_state) != POMP_NOT_STARTED || !pomp_slow_begin())
    return pomp_is_running();
  if (atomic_load(&pomp_state) == POMP_NOT_STARTED) {
    starts = true;
    atomic_store(&pomp_state, start() ? POMP_RUNNING : POMP_OVER);
    if (pomp_is_running())
      pomp_calibrate();
  }
  pomp_slow_end();
  if (starts)
    count_initial_thread();
  return pomp_is_running();
}

static void write_childs_own(void) {
  if (!pomp_threads_measured())
    return;
  int fd = pomp_directory_beside(&directory, (long)getpid());
  if (fd < 0)
    return;
  if (!pomp_arena_write(fd))
    pomp_say("cannot write %s: %s", directory.file, strerror(errno));
  sys_close(fd);
  pomp_trace_end(directory.path);
}

/* Events that were lost have to be reported. */
static bool is_worth_keeping(void) {
  return is_wanted || pomp_threads_measured() ||
         __atomic_load_n(&pomp_header->lost, __ATOMIC_RELAXED);
}

static void end_own(void) {
  bool is_kept = is_worth_keeping() && pomp_place();
  pomp_arena_trim();
  if (!is_kept && is_placed)
    pomp_directory_discard(&directory);
  if (!is_kept && is_verbose)
    pomp_say("no instrumented region ran: there is no experiment");
  pomp_trace_end(directory.path);
}

/* Frames that are still open stay so: who reads the file knows how to end them,
 * and threads that are still running do not get in the way. */
void pomp_end(void) {
  int running = POMP_RUNNING;
  if (pomp_is_running() && pomp_self->counters)
    pomp_counters_charge(pomp_self);
  uint64_t now = pomp_now();
  if (!atomic_compare_exchange_strong(&pomp_state, &running, POMP_OVER))
    return;
  pomp_modes_change();
  pomp_watch_stop();
  pomp_calibrate_end();
  pomp_header->end = now;
  __atomic_store_n(&pomp_header->ticks_per_second, pomp_clock_frequency(), __ATOMIC_RELAXED);
  __atomic_store_n(&pomp_header->state, POMP_FILE_ENDED, __ATOMIC_RELEASE);
  if (!pomp_slow_begin())
    return;
  pomp_running_look_at_all();
  if (forked)
    write_childs_own();
  else
    end_own();
  pomp_slow_end();
}

/* Only the time: where several copies of this library are in a process, the one
 * that the program's calls are bound to makes an experiment. */
__attribute__((constructor(101))) static void at_load(void) {
  pomp_clock_load();
  pomp_running_load();
}

/* After every atexit handler and every destructor of the program. */
__attribute__((destructor(101))) static void at_unload(void) {
  pomp_end();
  pomp_watch_finish();
  pomp_threads_finish();
}
