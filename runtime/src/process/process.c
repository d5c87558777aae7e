/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "process/process.h"

#include "calibration/calibrate.h"
#include "counters/counters.h"
#include "location/arena.h"
#include "location/processor_time.h"
#include "location/service.h"
#include "location/thread.h"
#include "mpi/agreement.h"
#include "mpi/rank.h"
#include "ompt/target_connection.h"
#include "process/directory.h"
#include "process/process_info.h"
#include "process/snapshot.h"
#include "process/snapshot_thread.h"
#include "state.h"
#include "system/clock.h"
#include "system/init_lock.h"
#include "system/message.h"
#include "system/settings.h"
#include "system/syscalls.h"
#include "tasks/team_exit.h"
#include "trace/trace_room.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* The C library's at_quick_exit and pthread_atfork, which are linked statically, name the program
 * by this.  A program without the compiler's start files (-nostartfiles) has no other one. */
__attribute__((weak, visibility("hidden"))) void *__dso_handle = &__dso_handle;

static struct pomp_directory directory;
static bool forked, fork_holds_lock;
static bool is_wanted; /* the experiment, though no region should run */
static bool is_of_job;
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
    pomp_message("cannot write %s: %s; nothing is measured", directory.file, strerror(error));
    return false;
  }
  pomp_agreement_start(directory.path);
  pomp_trace_room_place(directory.path);
  if (is_verbose)
    pomp_message("the experiment is in %s", directory.path);
  return true;
}

static bool place_once(void) {
  if (is_placed || forked)
    return true;
  is_placed = place();
  if (!is_placed) {
    atomic_store(&pomp_state, POMP_OVER);
    pomp_modes_change();
    pomp_snapshot_thread_stop();
  }
  return is_placed;
}

/* A child's experiment is named for its parent's. */
static void before_fork(void) {
  fork_holds_lock = pomp_init_lock();
  if (fork_holds_lock && pomp_is_running())
    place_once();
}

static void after_fork(void) {
  if (fork_holds_lock)
    pomp_init_unlock();
}

/* The file stays the parent's.  The child measures in memory, and writes that
 * out when it exits, if it has met an event by then. */
static void in_child(void) {
  pomp_snapshot_thread_forget();
  if (pomp_is_running()) {
    forked = true;
    if (pomp_arena_detach()) {
      pomp_snapshots_forget();
      for (const struct pomp_service *const *s = pomp_services; *s; s++)
        if ((*s)->forget)
          (*s)->forget();
      pomp_process_info_start(pomp_header->pid);
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
    pomp_message("no memory for the experiment: %s; nothing is measured", strerror(errno));
    return false;
  }
  pomp_clock_start(settings.tsc);
  pomp_process_info_start(0);
  pomp_header->start = pomp_clock_loaded();
  pomp_process_info_write(recording(&settings));
  is_of_job = pomp_rank() >= 0;
  is_wanted = settings.experiment_dir || is_of_job;
  is_verbose = settings.verbose;
  if (is_wanted && !place_once())
    return false;
  if (!pomp_threads_prepare() || pthread_atfork(before_fork, after_fork, in_child) != 0) {
    pomp_message("cannot follow the process's threads; nothing is measured");
    return false;
  }
  at_quick_exit(pomp_end);
  for (const struct pomp_service *const *s = pomp_services; *s; s++)
    if ((*s)->start)
      (*s)->start(&settings);
  pomp_snapshots_limit(settings.snapshot_limit);
  pomp_snapshot_thread_start(&settings);
  return true;
}

/* Counted from here on, though the first event may come late. */
static void count_initial_thread(void) {
  if (pomp_metric_count && pomp_is_running() && !pomp_self->location)
    pomp_thread_attach();
}

static bool start_once(void) {
  bool starts = false;
  if (atomic_load(&pomp_state) != POMP_NOT_STARTED || !pomp_init_lock())
    return pomp_is_running();
  if (atomic_load(&pomp_state) == POMP_NOT_STARTED) {
    starts = true;
    atomic_store(&pomp_state, start() ? POMP_RUNNING : POMP_OVER);
    if (pomp_is_running())
      pomp_calibrate();
  }
  pomp_init_unlock();
  if (starts)
    count_initial_thread();
  return pomp_is_running();
}

const struct pomp_process_calls pomp_process_calls = {.start = start_once,
                                                      .place = place_once,
                                                      .before_critical = pomp_calibrate_critical,
                                                      .before_master = pomp_calibrate_master,
                                                      .before_devices = pomp_target_connect,
                                                      .before_target = pomp_target_count_devices};

static void end_services(void) {
  for (const struct pomp_service *const *s = pomp_services; *s; s++)
    if ((*s)->end)
      (*s)->end(directory.path);
}

static void write_childs_own(void) {
  if (!pomp_threads_measured())
    return;
  int fd = pomp_directory_beside(&directory, (long)getpid());
  if (fd < 0)
    return;
  if (!pomp_arena_write(fd))
    pomp_message("cannot write %s: %s", directory.file, strerror(errno));
  sys_close(fd);
  end_services();
}

/* False if the program itself has no measurement, and loaded a library with one while it ran: an
 * interpreter may only look at an extension. */
static bool is_of_program(void) {
  Dl_info own, program;
  if (!dladdr((void *)(uintptr_t)pomp_end, &own) || !dladdr((void *)getauxval(AT_PHDR), &program) ||
      own.dli_fbase == program.dli_fbase)
    return true;
  void *from_start = dlopen(NULL, RTLD_LAZY);
  bool is = !from_start || dlsym(from_start, "POMP_Register") == (void *)(uintptr_t)POMP_Register;
  if (from_start)
    dlclose(from_start);
  return is;
}

/* Events that were lost have to be reported. */
static bool is_worth_keeping(void) {
  return is_of_job || (is_wanted && is_of_program()) || pomp_threads_measured() ||
         __atomic_load_n(&pomp_header->lost, __ATOMIC_RELAXED);
}

static void end_own(void) {
  bool is_kept = is_worth_keeping() && place_once();
  pomp_arena_trim();
  if (!is_kept && is_placed)
    pomp_directory_discard(&directory);
  if (!is_kept && is_verbose)
    pomp_message("no instrumented region ran: there is no experiment");
  end_services();
}

/* Frames that are still open stay open: a reader knows how to end them, and running threads are not
 * disturbed. */
void pomp_end(void) {
  int running = POMP_RUNNING;
  if (pomp_is_running() && pomp_self->counters)
    pomp_counters_charge(pomp_self);
  uint64_t now = pomp_now();
  if (!atomic_compare_exchange_strong(&pomp_state, &running, POMP_OVER))
    return;
  pomp_modes_change();
  pomp_snapshot_thread_stop();
  pomp_team_exits_settle();
  pomp_calibrate_end();
  pomp_header->end = now;
  __atomic_store_n(&pomp_header->ticks_per_second, pomp_clock_frequency(), __ATOMIC_RELAXED);
  __atomic_store_n(&pomp_header->state, POMP_FILE_ENDED, __ATOMIC_RELEASE);
  if (!pomp_init_lock())
    return;
  pomp_processor_time_read_all();
  pomp_process_info_end();
  if (forked)
    write_childs_own();
  else
    end_own();
  pomp_init_unlock();
}

/* Only the time: where several copies of this library are in a process, the one
 * that the program's calls are bound to makes an experiment. */
__attribute__((constructor(101))) static void at_load(void) {
  pomp_clock_load();
  pomp_processor_time_load();
}

/* After every atexit handler and every destructor of the program. */
__attribute__((destructor(101))) static void at_unload(void) {
  pomp_end();
  pomp_snapshot_thread_finish();
  pomp_threads_finish();
}
