/* Kernels with names and without, one within another, and one that an exception leaves. */
#include "RAJA/policy/openmp/forall.hpp"
#ifdef REGISTERS
#include <pomp_raja.hpp>
#endif

#include <cstdio>
#include <cstdlib>
#ifdef LOADS
#include <dlfcn.h>
#endif

static void solve(double *x) {
  for (int step = 0; step < 3; step++)
    RAJA::forall(100, "axpy", [=](int i) { x[i] += 0.5; });
  RAJA::forall(100, "scale", [=](int i) { x[i] *= 0.5; });
  RAJA::forall(100, "", [=](int i) { x[i] += 1; });
  RAJA::once("outer", [=] { RAJA::forall(100, "axpy", [=](int i) { x[i] += 0.5; }); });
  RAJA::once("catches", [] {
    try {
      RAJA::once("throws", [] { throw 1; });
    } catch (int) {
    }
  });
  RAJA::forall(100, "scale", [=](int i) { x[i] *= 2; });
}

int main() {
#ifdef LOADS
  /* As RAJA loads the plug-ins of RAJA_PLUGINS. */
  void *plugin = dlopen(std::getenv("RAJA_PLUGINS"), RTLD_NOW | RTLD_GLOBAL);
  auto get = plugin ? (RAJA::util::PluginStrategy * (*)()) dlsym(plugin, "RAJAGetPlugin") : nullptr;
  if (!get)
    return 1;
  RAJA::util::PluginRegistry::all().emplace_back(get());
#endif
  double x[100] = {};
  solve(x);
  std::printf("%g\n", x[99]);
}
