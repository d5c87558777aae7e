/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counters/perf.h"

#include "system/syscalls.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { LEAST_FD = 4096 };

/* Software events include the program's work in the kernel; hardware events count user code only,
 * as PAPI does. */
static int open_event(const struct pomp_metric *m, int leader) {
  struct perf_event_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = m->type;
  attr.config = m->code;
  attr.exclude_hv = 1;
  attr.disabled = leader < 0;
  attr.exclude_kernel = m->type != PERF_TYPE_SOFTWARE;
  attr.read_format =
      PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  long fd = syscall(SYS_perf_event_open, &attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
  if (fd < 0 && (errno == EACCES || errno == EPERM) && !attr.exclude_kernel) {
    attr.exclude_kernel = 1;
    fd = syscall(SYS_perf_event_open, &attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
  }
  return (int)fd;
}

/* A program counts on the lowest numbers being free. */
static int out_of_the_way(int fd) {
  struct rlimit limit;
  if (fd < 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return fd;
  int least = limit.rlim_cur > 2 * LEAST_FD ? LEAST_FD : (int)(limit.rlim_cur / 2);
  int moved = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, least);
  if (moved < 0)
    return fd;
  sys_close(fd);
  return moved;
}

bool pomp_perf_offers(struct pomp_metric *m) {
  int fd = open_event(m, -1);
  if (fd < 0)
    return false;
  sys_close(fd);
  return true;
}

static struct perf_event_mmap_page *map_page(int fd, const struct pomp_metric *m) {
  if (m->type == PERF_TYPE_SOFTWARE)
    return NULL;
  void *page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);
  return page == MAP_FAILED ? NULL : page;
}

static bool join(struct pomp_perf_group *g, uint32_t metric) {
  int fd = out_of_the_way(open_event(&pomp_metrics[metric], g->count ? g->fds[0] : -1));
  if (fd < 0)
    return false;
  g->fds[g->count] = fd;
  g->pages[g->count] = map_page(fd, &pomp_metrics[metric]);
  g->metrics[g->count++] = metric;
  return true;
}

/* Together, for what joins a group that counts already begins whenever the system comes by. */
static void enable(const struct pomp_perf_group *g) {
  syscall(SYS_ioctl, g->fds[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
}

/* As many in a group as the processor counts at once. */
bool pomp_perf_open(struct pomp_perf *p) {
  bool all = true;
  p->count = 0;
  for (uint32_t i = 0; i < pomp_metric_count; i++) {
    if (pomp_metrics[i].by_papi || (p->count && join(&p->groups[p->count - 1], i)))
      continue;
    p->groups[p->count].count = 0;
    if (join(&p->groups[p->count], i))
      p->count++;
    else
      all = false;
  }
  for (uint32_t i = 0; i < p->count; i++)
    enable(&p->groups[i]);
  return all;
}

void pomp_perf_close(struct pomp_perf *p) {
  for (uint32_t i = 0; i < p->count; i++)
    for (uint32_t k = p->groups[i].count; k-- > 0;) {
      if (p->groups[i].pages[k])
        munmap(p->groups[i].pages[k], (size_t)sysconf(_SC_PAGESIZE));
      sys_close(p->groups[i].fds[k]);
    }
  p->count = 0;
}

void pomp_perf_forget(struct pomp_perf *p) {
  for (uint32_t i = 0; i < p->count; i++)
    memset(p->groups[i].pages, 0, sizeof p->groups[i].pages);
  pomp_perf_close(p);
}

#if defined __x86_64__
static uint64_t read_counter(uint32_t number) {
  uint32_t low, high;
  __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(number));
  return (uint64_t)high << 32 | low;
}

/* Without a system call, where the counter is on the processor right now and was all the time:
 * perf_event_open(2), cap_user_rdpmc. */
static bool read_page(const struct perf_event_mmap_page *page, uint64_t *value) {
  uint32_t sequence, index;
  do {
    sequence = __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE);
    index = page->index;
    if (!page->cap_user_rdpmc || !index || page->time_enabled != page->time_running)
      return false;
    int unused = 64 - page->pmc_width;
    uint64_t counter = read_counter(index - 1) << unused;
    *value = (uint64_t)page->offset + (uint64_t)((int64_t)counter >> unused);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
  } while (__atomic_load_n(&page->lock, __ATOMIC_RELAXED) != sequence);
  return true;
}
#else
static bool read_page(const struct perf_event_mmap_page *page, uint64_t *value) {
  (void)page;
  (void)value;
  return false;
}
#endif

static bool read_pages(const struct pomp_perf_group *g, uint64_t *values) {
  uint64_t read[POMP_MOST_METRICS];
  for (uint32_t i = 0; i < g->count; i++)
    if (!g->pages[i] || !read_page(g->pages[i], &read[i]))
      return false;
  for (uint32_t i = 0; i < g->count; i++)
    values[g->metrics[i]] = read[i];
  return true;
}

/* If there are more counters than the processor has, they take turns. */
static uint64_t scaled(uint64_t value, uint64_t enabled, uint64_t running) {
  if (running >= enabled || !running)
    return value;
  return (uint64_t)((unsigned __int128)value * enabled / running);
}

static void read_group(const struct pomp_perf_group *g, uint64_t *values) {
  struct {
    uint64_t count, enabled, running, values[POMP_MOST_METRICS];
  } got;
  size_t size = (3 + (size_t)g->count) * sizeof(uint64_t);
  if (sys_read(g->fds[0], &got, size) != (ssize_t)size || got.count != g->count)
    return;
  for (uint32_t i = 0; i < g->count; i++)
    values[g->metrics[i]] = scaled(got.values[i], got.enabled, got.running);
}

void pomp_perf_read(const struct pomp_perf *p, uint64_t *values) {
  for (uint32_t i = 0; i < p->count; i++)
    if (!read_pages(&p->groups[i], values))
      read_group(&p->groups[i], values);
}

void pomp_perf_look(const struct pomp_perf *p, uint64_t *values) {
  for (uint32_t i = 0; i < p->count; i++)
    read_group(&p->groups[i], values);
}
