/* Stands before the OpenMP runtime: who has got what it waited for comes back late. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

enum { LATE = 50000 };

#define LATE_RETURN(name, parameters, arguments)                                                   \
  void name parameters;                                                                            \
  void name parameters {                                                                           \
    void(*next) parameters = (void(*) parameters)dlsym(RTLD_NEXT, #name);                          \
    next arguments;                                                                                \
    usleep(LATE);                                                                                  \
  }

/* Our library's own trials of a critical section return at once: its lock is not the program's. */
void __kmpc_critical(void *place, int thread, void *name);
void __kmpc_critical(void *place, int thread, void *name) {
  void (*next)(void *, int, void *) =
      (void (*)(void *, int, void *))dlsym(RTLD_NEXT, "__kmpc_critical");
  next(place, thread, name);
  Dl_info where = {0};
  if (!dladdr(name, &where) || !where.dli_fname || !strstr(where.dli_fname, "libpomp"))
    usleep(LATE);
}

LATE_RETURN(__kmpc_ordered, (void *place, int thread), (place, thread))
LATE_RETURN(omp_set_lock, (void *lock), (lock))
LATE_RETURN(omp_set_nest_lock, (void *lock), (lock))
