/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "process/process_info.h"

#include "location/arena.h"
#include "ompt/ompt.h"
#include "system/clock.h"
#include "system/own_thread.h"
#include "system/syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

void __kmpc_global_thread_num(void) __attribute__((weak));
void GOMP_parallel(void) __attribute__((weak));

/* libomp has libgomp's entry points as well. */
static const char *openmp_runtime(void) {
  if (__kmpc_global_thread_num)
    return "libomp";
  return GOMP_parallel ? "libgomp" : "none";
}

static uint64_t wall_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* Of the whole process, when the measurement began. */
static struct rusage before;

void pomp_process_info_start(int64_t forked_from) {
  pomp_header->ticks_per_second = pomp_clock_frequency();
  pomp_header->start_wall = wall_clock();
  pomp_header->pid = getpid();
  pomp_header->forked_from = forked_from;
  pomp_header->lost = 0;
  getrusage(RUSAGE_SELF, &before);
  pomp_header->start = pomp_now();
}

static void describe_text(const char *key, const char *value) {
  pomp_arena_text(key, value, strlen(value));
}

static void describe_count(const char *key, long long count) {
  char text[24];
  snprintf(text, sizeof text, "%lld", count);
  describe_text(key, text);
}

static void describe_command_line(void) {
  char text[16384];
  size_t length = 0;
  int fd = sys_open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0)
    return;
  while (length < sizeof text) {
    ssize_t got = sys_read(fd, text + length, sizeof text - length);
    if (got == 0 || (got < 0 && errno != EINTR))
      break;
    length += got > 0 ? (size_t)got : 0;
  }
  sys_close(fd);
  pomp_arena_text("command_line", text, length);
}

static void describe_executable(void) {
  char path[PATH_MAX];
  ssize_t length = sys_readlink("/proc/self/exe", path, sizeof path);
  if (length > 0)
    pomp_arena_text("executable", path, (size_t)length);
}

/* Processors that the process may use, 0 if the system does not say.  libgomp may have bound the
 * calling thread to one place already. */
static int usable_processors(void) {
  cpu_set_t processors;
  pomp_own_thread_places(&processors);
  if (CPU_COUNT(&processors))
    return CPU_COUNT(&processors);
  return sched_getaffinity(0, sizeof processors, &processors) ? 0 : CPU_COUNT(&processors);
}

/* Processors of the machine, and those to which the process is bound if these are fewer. */
static void describe_processors(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  int usable = usable_processors();
  if (count > 0)
    describe_count("processors", count);
  if (usable > 0 && usable < count)
    describe_count("usable_processors", usable);
}

void pomp_process_info_write(const char *trace) {
  char host[HOST_NAME_MAX + 1] = "";
  gethostname(host, sizeof host - 1);
  describe_text("host", host);
  describe_text("program", program_invocation_short_name);
  describe_text("clock", pomp_clock_name());
  describe_text("openmp_runtime", openmp_runtime());
  const char *waits = getenv("OMP_WAIT_POLICY");
  describe_text("wait_policy", waits ? waits : "");
  if (pomp_ompt_runtime())
    describe_text("ompt", pomp_ompt_runtime());
  if (trace)
    describe_text("trace", trace);
  describe_processors();
  describe_executable();
  describe_command_line();
}

/* The most pages that the process had since its program was started, 0 if the system does not say.
 * The largest memory of getrusage is that of the programs before it, too. */
static long long peak_pages(void) {
  char text[4096];
  int fd = sys_open("/proc/self/status", O_RDONLY | O_CLOEXEC, 0);
  ssize_t length = fd < 0 ? 0 : sys_read(fd, text, sizeof text - 1);
  if (fd >= 0)
    sys_close(fd);
  text[length > 0 ? length : 0] = 0;
  const char *peak = strstr(text, "VmHWM:");
  return peak ? strtoll(peak + strlen("VmHWM:"), NULL, 10) * 1024 / sysconf(_SC_PAGESIZE) : 0;
}

static long long microseconds(struct timeval t) { return t.tv_sec * 1000000LL + t.tv_usec; }

void pomp_process_info_end(void) {
  struct rusage use;
  if (getrusage(RUSAGE_SELF, &use) != 0)
    return;
  describe_count("system_time", microseconds(use.ru_stime) - microseconds(before.ru_stime));
  describe_count("page_faults",
                 use.ru_minflt + use.ru_majflt - before.ru_minflt - before.ru_majflt);
  describe_count("peak_pages", peak_pages());
}
