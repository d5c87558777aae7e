/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls of libomptarget (offload/include/Shared/APITypes.h of LLVM).  Nothing but their maps is of
 * interest here. */
#include "events/wrapped_routine.h"
#include "ompt/target_names.h"

/* The first members of the arguments of a kernel; they are these in the versions 1 to 3. */
struct kernel_arguments {
  uint32_t version;
  uint32_t count;
  void **bases;
  void **begins;
  int64_t *sizes;
  int64_t *types;
  char **names;
};

enum { NEWEST_VERSION = 3 };

/* A call may be made in the course of another one. */
#define WITH_MAPS(maps, call)                                                                      \
  const struct pomp_target_maps own = maps, *outer = pomp_target_set_maps(&own);                   \
  call;                                                                                            \
  pomp_target_set_maps(outer);

static struct pomp_target_maps maps_of_kernel(const struct kernel_arguments *a) {
  struct pomp_target_maps none = {0, NULL, NULL, NULL};
  if (!a || a->version < 1 || a->version > NEWEST_VERSION)
    return none;
  return (struct pomp_target_maps){a->count, a->begins, a->sizes, a->names};
}

#define KERNEL                                                                                     \
  void *where, int64_t device, int32_t teams, int32_t threads, void *kernel,                       \
      struct kernel_arguments *arguments

POMP_DECLARE_BEHIND(int, __tgt_target_kernel, KERNEL);
int POMP_WRAPS(__tgt_target_kernel)(KERNEL);

int POMP_WRAPS(__tgt_target_kernel)(KERNEL) {
  int result;
  WITH_MAPS(maps_of_kernel(arguments), result = POMP_BEHIND(__tgt_target_kernel)(
                                           where, device, teams, threads, kernel, arguments))
  return result;
}

#define DATA                                                                                       \
  void *where, int64_t device, int32_t count, void **bases, void **begins, int64_t *sizes,         \
      int64_t *types, char **names, void **mappers
#define GIVEN where, device, count, bases, begins, sizes, types, names, mappers
#define MAPS ((struct pomp_target_maps){(uint32_t)count, begins, sizes, names})

#define WRAP(name)                                                                                 \
  POMP_DECLARE_BEHIND(void, name, DATA);                                                           \
  void POMP_WRAPS(name)(DATA);                                                                     \
  void POMP_WRAPS(name)(DATA) { WITH_MAPS(MAPS, POMP_BEHIND(name)(GIVEN)) }

WRAP(__tgt_target_data_begin_mapper)
WRAP(__tgt_target_data_end_mapper)
WRAP(__tgt_target_data_update_mapper)

#define DEFERRED                                                                                   \
  DATA, int32_t dependence_count, void *dependences, int32_t other_count, void *others
#define ALL_GIVEN GIVEN, dependence_count, dependences, other_count, others

#define WRAP_DEFERRED(name)                                                                        \
  POMP_DECLARE_BEHIND(void, name, DEFERRED);                                                       \
  void POMP_WRAPS(name)(DEFERRED);                                                                 \
  void POMP_WRAPS(name)(DEFERRED) { WITH_MAPS(MAPS, POMP_BEHIND(name)(ALL_GIVEN)) }

WRAP_DEFERRED(__tgt_target_data_begin_nowait_mapper)
WRAP_DEFERRED(__tgt_target_data_end_nowait_mapper)
WRAP_DEFERRED(__tgt_target_data_update_nowait_mapper)
