/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef POMP_SETTINGS_H
#define POMP_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

struct pomp_settings {
  const char *experiment_dir; /* NULL: made from the program's name */
  const char *metrics;        /* NULL: none */
  bool mpi_minimal; /* of what MPI calls move: the least, not what messages one by one would */
  uint32_t mpi_clocks;
  bool iterations;
  bool profile;
  bool tsc; /* whether the processor's counter may be the clock */
  bool verbose;
  uint64_t snapshot_interval; /* nanoseconds; 0: none */
  uint32_t snapshot_limit;
  int snapshot_signal; /* 0: none */
  bool target_content; /* whether transfers are compared */
  bool trace;
  bool trace_at_end;
  uint32_t trace_limit; /* MiB */
};

/* There in a program that was linked with --pomp-trace. */
extern const char pomp_traced __attribute__((weak, visibility("default")));

/* Reads the environment; reports unknown variables and malformed values on stderr. */
struct pomp_settings pomp_settings_read(void);

#endif
