/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A library that is called libomp.so, as libomptarget asks for it to report target constructs.
 *
 * If libomp has another name, such as libomp.so.5 of Debian, or lies in a folder in which the
 * loader does not look, libomptarget does not find it, and reports nothing.  This one passes
 * libomptarget's call on to the libomp that the program has. */
#include <dlfcn.h>
#include <stdint.h>

static void pass_on(void *tool) {
  void (*connect)(void *) = (void (*)(void *))(uintptr_t)dlsym(RTLD_DEFAULT, "ompt_libomp_connect");
  if (connect && connect != pass_on)
    connect(tool);
}

/* An alias: the name itself may stand for the function of libomp here. */
void ompt_libomp_connect(void *tool) __attribute__((visibility("default"), alias("pass_on")));
