/* Stands before the OpenMP runtime and counts the barriers that compiled code calls for; a
 * reduction that is not nowait has one. */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static _Atomic unsigned long count;

#define COUNTED(type, name, parameters, arguments)                                                 \
  type name parameters;                                                                            \
  type name parameters {                                                                           \
    static type(*_Atomic next) parameters;                                                         \
    count++;                                                                                       \
    if (!next)                                                                                     \
      next = (type(*) parameters)dlsym(RTLD_NEXT, #name);                                          \
    return next arguments;                                                                         \
  }

COUNTED(void, __kmpc_barrier, (void *place, int thread), (place, thread))
COUNTED(int, __kmpc_cancel_barrier, (void *place, int thread), (place, thread))
COUNTED(int, __kmpc_reduce,
        (void *place, int thread, int many, size_t size, void *data, void (*add)(void *, void *),
         void *lock),
        (place, thread, many, size, data, add, lock))

__attribute__((destructor)) static void say(void) {
  FILE *file = getenv("BARRIER_COUNT") ? fopen(getenv("BARRIER_COUNT"), "w") : NULL;
  if (file) {
    fprintf(file, "%lu\n", count);
    fclose(file);
  }
}
