/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompt/ompt.h"

#include "location/arena.h"
#include "ompt/ompt_events.h"
#include "ompt/target_events.h"
#include "state.h"
#include "system/init_lock.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

void __tsan_init(void) __attribute__((weak));
void __kmpc_critical(void) __attribute__((weak));
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
    __attribute__((weak, visibility("default")));

static const char *offered, *told_by;

const char *pomp_ompt_runtime(void) { return told_by; }

/* The runtime may start before the measurement, and the other way round. */
static void start_telling(void) {
  if (!pomp_init_lock())
    return;
  told_by = offered;
  if (pomp_is_running())
    pomp_arena_text("ompt", told_by, strlen(told_by));
  pomp_init_unlock();
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool) {
  ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
  (void)device, (void)tool;
  if (!set_callback)
    return 0;
  bool tells_barriers = pomp_ompt_wanted && pomp_ompt_set_callbacks(set_callback);
  bool tells_targets = pomp_target_wanted && pomp_target_set_callbacks(set_callback, offered);
  if (tells_barriers)
    start_telling();
  return tells_barriers || tells_targets;
}

static void finalize(ompt_data_t *tool) { (void)tool; }

/* True if the OpenMP runtime asks this library for a tool.  If our ompt_start_tool is not linked
 * in, the first one has to be the runtime's own. */
static bool is_asked_of_us(void) {
  Dl_info first, own;
  return offered ||
         (ompt_start_tool && __kmpc_critical &&
          dladdr((void *)(uintptr_t)ompt_start_tool, &first) &&
          dladdr((void *)(uintptr_t)__kmpc_critical, &own) && first.dli_fbase == own.dli_fbase);
}

static bool names_another_tool(void) {
  const char *libraries = getenv("OMP_TOOL_LIBRARIES");
  return libraries && *libraries;
}

bool pomp_ompt_is_alone(void) { return is_asked_of_us() && !names_another_tool(); }

/* A process has one tool.  ThreadSanitizer needs its own to see the runtime's synchronization. */
static bool is_to_be_ours(void) {
  return (pomp_ompt_wanted || pomp_target_wanted) && !names_another_tool() && !__tsan_init;
}

ompt_start_tool_result_t *pomp_ompt_tool(const char *runtime) {
  static ompt_start_tool_result_t ours = {initialize, finalize, {0}};
  offered = runtime;
  return is_to_be_ours() ? &ours : NULL;
}
