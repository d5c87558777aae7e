/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Texts of the profile on the process's place in its job. */
#include "location/arena.h"
#include "mpi/agreement.h"
#include "mpi/call_site.h"
#include "mpi/modules.h"
#include "mpi/mpi.h"
#include "state.h"
#include "system/clock.h"
#include "system/init_lock.h"
#include "system/syscalls.h"
#include "trace/trace.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOOT "/proc/sys/kernel/random/boot_id"
#define CLOCKS "/proc/self/ns/time"

/* The world is 1, the process alone 2. */
enum { FIRST_GROUP = 3, GROUPS = 1 << 24 };

static _Atomic uint32_t groups = FIRST_GROUP;

static void describe(const char *key, const char *value) {
  pomp_arena_text(key, value, strlen(value));
}

static void describe_number(const char *key, int value) {
  char text[16];
  snprintf(text, sizeof text, "%d", value);
  describe(key, text);
}

/* Processes with the same one read the same clock, in whatever container they are. */
static char machine[128];

static size_t read_file(const char *path, char *text, size_t size) {
  int fd = sys_open(path, O_RDONLY | O_CLOEXEC, 0);
  ssize_t length = fd < 0 ? 0 : sys_read(fd, text, size - 1);
  if (fd >= 0)
    sys_close(fd);
  text[length > 0 ? length : 0] = '\0';
  return strcspn(text, "\n");
}

/* The processor's counter is everybody's; the kernel's clock may be another one in a container. */
static void describe_machine(void) {
  size_t length = read_file(BOOT, machine, sizeof machine / 2);
  ssize_t more = length && !pomp_clock_counts
                     ? sys_readlink(CLOCKS, machine + length, sizeof machine - 1 - length)
                     : 0;
  machine[length + (size_t)(more > 0 ? more : 0)] = '\0';
  describe("boot", machine);
}

/* By the launcher's word; 0: it has none. */
static int count_here(void) {
  static const char *const counts[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                                       "MV2_COMM_WORLD_LOCAL_SIZE"};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    const char *count = secure_getenv(counts[i]);
    if (count && atoi(count) > 0)
      return atoi(count);
  }
  return 0;
}

unsigned pomp_mpi_agree(const struct pomp_mpi_process *process, int ranks[POMP_MPI_MACHINES]) {
  char name[256];
  bool always = pomp_mpi_wanted.clocks > 1;
  int local = count_here();
  if (!pomp_mpi_wanted.clocks || !*machine || (!always && local == process->size))
    return 0;
  snprintf(name, sizeof name, "%s-%s", machine, pomp_clock_counts ? "counter" : "kernel");
  if (always)
    snprintf(name + strlen(name), sizeof name - strlen(name), "-%d", process->rank);
  struct pomp_candidate own = {name, process->rank, always ? 1 : local};
  return pomp_agree(&own, process->size, ranks, POMP_MPI_MACHINES);
}

bool pomp_mpi_started(const struct pomp_mpi_process *process) {
  if (!pomp_start() || !pomp_init_lock())
    return false;
  pomp_place();
  describe_number("mpi_rank", process->rank);
  describe_number("mpi_size", process->size);
  describe("mpi_thread_level", process->thread_level);
  describe("mpi_library", process->library);
  describe("mpi_volume", pomp_mpi_wanted.minimal ? "minimal" : "naive");
  if (pomp_traces) {
    describe("mpi_functions", process->functions);
    describe_machine();
    pomp_modules_describe();
    pomp_call_sites_start();
  }
  pomp_init_unlock();
  return pomp_traces;
}

uint32_t pomp_mpi_define(const char *what) {
  char key[32];
  uint32_t number = atomic_load_explicit(&groups, memory_order_relaxed);
  if (number >= GROUPS || !pomp_is_running() || !pomp_init_lock())
    return 0;
  number = atomic_fetch_add_explicit(&groups, 1, memory_order_relaxed);
  snprintf(key, sizeof key, "mpi_group_%" PRIu32, number);
  describe(key, what);
  pomp_init_unlock();
  return number;
}

void pomp_mpi_compare(const char *when, const struct pomp_mpi_comparison *with) {
  char key[32], text[128];
  if (!pomp_is_running() || !pomp_init_lock())
    return;
  snprintf(key, sizeof key, "mpi_clock_%s", when);
  snprintf(text, sizeof text, "%d %" PRIu64 " %" PRIu64 " %" PRIu64, with->rank, with->own,
           with->theirs, with->round_trip);
  describe(key, text);
  pomp_init_unlock();
}
