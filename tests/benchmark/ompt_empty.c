/* A tool that uses OpenMP's own interface and registers no events: the base cost of any tool. */
#include <omp-tools.h>

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) { return 1; }

static void finalize(ompt_data_t *data) {}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
