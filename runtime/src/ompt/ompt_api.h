/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The part of the OpenMP tools interface that this library uses (OpenMP 5.2, chapter 19).  Not
 * every compiler has omp-tools.h. */
#ifndef POMP_OMPT_API_H
#define POMP_OMPT_API_H

#include <stdint.h>

typedef union ompt_data_t {
  uint64_t value;
  void *ptr;
} ompt_data_t;

enum ompt_endpoint { OMPT_SCOPE_BEGIN = 1, OMPT_SCOPE_END = 2 };

enum ompt_sync_region {
  OMPT_BARRIER_IMPLEMENTATION = 4,
  OMPT_BARRIER_IMPLICIT_WORKSHARE = 8,
  OMPT_BARRIER_IMPLICIT_PARALLEL = 9
};

enum ompt_mutex { OMPT_MUTEX_CRITICAL = 5, OMPT_MUTEX_ORDERED = 7 };

/* A task's flags have this bit for a target construct that is a task. */
enum { OMPT_TASK_TARGET = 8 };

/* Kinds of target constructs: those of data with nowait have numbers from the last one on. */
enum ompt_target { OMPT_TARGET = 1, OMPT_TARGET_ENTER_DATA_NOWAIT = 10 };

/* The lowest bits of an operation on a device's data. */
enum ompt_target_data_op {
  OMPT_TARGET_DATA_ALLOC = 1,
  OMPT_TARGET_DATA_TO = 2,
  OMPT_TARGET_DATA_FROM = 3,
  OMPT_TARGET_DATA_DELETE = 4,
  OMPT_TARGET_DATA_KINDS = 15
};

enum ompt_event {
  OMPT_PARALLEL_BEGIN = 3,
  OMPT_TASK_CREATE = 5,
  OMPT_DEVICE_INITIALIZE = 12,
  OMPT_SYNC_REGION = 23,
  OMPT_MUTEX_ACQUIRED = 27,
  OMPT_CANCEL = 30,
  OMPT_TARGET_EMI = 33,
  OMPT_TARGET_DATA_OP_EMI = 34,
  OMPT_TARGET_SUBMIT_EMI = 35
};

enum { OMPT_SET_ALWAYS = 5 };

typedef void (*ompt_interface_fn_t)(void);
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char *name);
typedef int (*ompt_set_callback_t)(int event, ompt_interface_fn_t callback);

typedef struct ompt_start_tool_result_t {
  int (*initialize)(ompt_function_lookup_t lookup, int device, ompt_data_t *tool);
  void (*finalize)(ompt_data_t *tool);
  ompt_data_t tool;
} ompt_start_tool_result_t;

typedef ompt_start_tool_result_t *(*ompt_start_tool_t)(unsigned version, const char *runtime);

#endif
