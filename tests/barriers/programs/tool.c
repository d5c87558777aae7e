/* A program's own tool: it is asked, and takes no part. */
#include <stdio.h>
#include <stdlib.h>

void *ompt_start_tool(unsigned version, const char *runtime);

void *ompt_start_tool(unsigned version, const char *runtime) {
  (void)version, (void)runtime;
  FILE *file = getenv("TOOL_OUTPUT") ? fopen(getenv("TOOL_OUTPUT"), "w") : NULL;
  if (file) {
    fputs("the program's tool is asked\n", file);
    fclose(file);
  }
  return NULL;
}
