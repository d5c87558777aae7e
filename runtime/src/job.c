/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the process is in its job: texts of the profile. */
#include "arena.h"
#include "mpi.h"
#include "process.h"
#include "slow.h"
#include "syscalls.h"
#include "trace.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOOT "/proc/sys/kernel/random/boot_id"

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
static void describe_boot(void) {
  char text[64];
  int fd = sys_open(BOOT, O_RDONLY | O_CLOEXEC, 0);
  ssize_t length = fd < 0 ? 0 : sys_read(fd, text, sizeof text - 1);
  if (fd >= 0)
    sys_close(fd);
  text[length > 0 ? length : 0] = '\0';
  text[strcspn(text, "\n")] = '\0';
  describe("boot", text);
}

/* By the launcher's word. */
static bool shares_a_machine(int size) {
  static const char *const counts[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                                       "MV2_COMM_WORLD_LOCAL_SIZE"};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    const char *count = secure_getenv(counts[i]);
    if (count && atoi(count) == size)
      return true;
  }
  return false;
}

static bool compares(int size) {
  uint32_t wanted = pomp_mpi_wanted.clocks;
  return wanted > 1 || (wanted && !shares_a_machine(size));
}

unsigned pomp_mpi_started(const struct pomp_mpi_process *process) {
  if (!pomp_start() || !pomp_slow_begin())
    return 0;
  describe_number("mpi_rank", process->rank);
  describe_number("mpi_size", process->size);
  describe("mpi_thread_level", process->thread_level);
  describe("mpi_library", process->library);
  describe("mpi_volume", pomp_mpi_wanted.minimal ? "minimal" : "naive");
  if (pomp_traces) {
    describe("mpi_functions", process->functions);
    describe_boot();
  }
  pomp_slow_end();
  if (!pomp_traces)
    return 0;
  return POMP_MPI_RECORDED | (compares(process->size) ? POMP_MPI_COMPARED : 0);
}

uint32_t pomp_mpi_define(const char *what) {
  char key[32];
  uint32_t number = atomic_load_explicit(&groups, memory_order_relaxed);
  if (number >= GROUPS || !pomp_is_running() || !pomp_slow_begin())
    return 0;
  number = atomic_fetch_add_explicit(&groups, 1, memory_order_relaxed);
  snprintf(key, sizeof key, "mpi_group_%" PRIu32, number);
  describe(key, what);
  pomp_slow_end();
  return number;
}

void pomp_mpi_compare(const char *when, const struct pomp_mpi_comparison *with) {
  char key[32], text[128];
  if (!pomp_is_running() || !pomp_slow_begin())
    return;
  snprintf(key, sizeof key, "mpi_clock_%s", when);
  snprintf(text, sizeof text, "%d %" PRIu64 " %" PRIu64 " %" PRIu64, with->rank, with->own,
           with->theirs, with->round_trip);
  describe(key, text);
  pomp_slow_end();
}
