#include "pomp_test.h"

#include <dlfcn.h>

FUNCTION(func, "main", 10);

int main(int argc, char **argv) {
  POMP_Begin(&func);
  for (int i = 0; argc > 1 && i < 3; i++) {
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      fputs(dlerror(), stderr);
      return 1;
    }
    ((void (*)(void))dlsym(library, "plugin"))();
    dlclose(library);
  }
  POMP_End(&func);
  return 0;
}
