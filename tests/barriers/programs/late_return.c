/* Stands before the OpenMP runtime: who has got what it waited for comes back late. */
#include <dlfcn.h>
#include <unistd.h>

enum { LATE = 50000 };

#define LATE_RETURN(name, parameters, arguments)                                                   \
  void name parameters;                                                                            \
  void name parameters {                                                                           \
    void(*next) parameters = (void(*) parameters)dlsym(RTLD_NEXT, #name);                          \
    next arguments;                                                                                \
    usleep(LATE);                                                                                  \
  }

LATE_RETURN(__kmpc_critical, (void *place, int thread, void *name), (place, thread, name))
LATE_RETURN(__kmpc_ordered, (void *place, int thread), (place, thread))
LATE_RETURN(omp_set_lock, (void *lock), (lock))
LATE_RETURN(omp_set_nest_lock, (void *lock), (lock))
