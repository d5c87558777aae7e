/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The function by which the OpenMP runtime asks for a tool; a tool of the program's own comes
 * first.  It has a file of its own, so that the linker takes it from the archive only if it is
 * asked for: a library that the runtime refers to is not unloaded. */
#include "ompt/ompt.h"

#include <dlfcn.h>
#include <stddef.h>

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
    __attribute__((weak, visibility("default")));

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
  ompt_start_tool_t next = (ompt_start_tool_t)dlsym(RTLD_NEXT, "ompt_start_tool");
  ompt_start_tool_result_t *others = next ? next(version, runtime) : NULL;
  return others ? others : pomp_ompt_tool(runtime);
}
