/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* RAJA: its kernels, by the names that the program gives them.
 *
 * All kernels of a program run in the same few constructs of RAJA's headers.  RAJA reports each
 * kernel to plug-ins, and a kernel that has a name becomes a user region around the construct.  A
 * program includes this header in one of its sources, which registers the plug-in.  A plug-in to
 * load (RAJA_PLUGINS) is this header compiled with -DPOMP_RAJA_PLUGIN. */
#ifndef POMP_RAJA_HPP
#define POMP_RAJA_HPP

#include "pomp.h"

#include "RAJA/util/PluginStrategy.hpp"

#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace pomp {

class RajaKernels : public RAJA::util::PluginStrategy {
public:
  void preLaunch(const RAJA::util::PluginContext &launch) override {
    if (launch.kernel_name.empty())
      return;
    OMPRegDescr *region = region_of(launch.kernel_name);
    open_kernels().push_back({&launch, region});
    POMP_Begin(region);
  }

  void postLaunch(const RAJA::util::PluginContext &launch) override {
    std::vector<Kernel> &kernels = open_kernels();
    std::size_t at = kernels.size();
    while (at && kernels[at - 1].launch != &launch)
      at--;
    if (!at)
      return;
    /* Kernels within this one that have no end were left by an exception. */
    while (kernels.size() >= at) {
      POMP_End(kernels.back().region);
      kernels.pop_back();
    }
  }

private:
  struct Kernel {
    const RAJA::util::PluginContext *launch;
    OMPRegDescr *region;
  };

  struct Regions {
    std::mutex mutex;
    std::unordered_map<std::string, OMPRegDescr> by_name;
  };

  /* The kernels that a thread is in, outermost first. */
  static std::vector<Kernel> &open_kernels() {
    static thread_local std::vector<Kernel> kernels;
    return kernels;
  }

  /* Names may be made of numbers; beyond this number, a kernel is one of the others. */
  static constexpr std::size_t MOST_NAMES = 1 << 14;

  static OMPRegDescr *region_of(const std::string &name) {
    static Regions &regions = *new Regions; /* read when the program ends, so never destroyed */
    std::lock_guard<std::mutex> guard(regions.mutex);
    auto known = regions.by_name.find(name);
    if (known == regions.by_name.end()) {
      bool is_full = regions.by_name.size() >= MOST_NAMES;
      known = regions.by_name.emplace(is_full ? "other kernels" : name, OMPRegDescr()).first;
    }
    OMPRegDescr &region = known->second;
    if (!region.size) {
      region.name = "region";
      region.sub_name = known->first.c_str();
      region.file_name = region.clauses = region.function = "";
      region.size = sizeof region;
    }
    return &region;
  }
};

#ifndef POMP_RAJA_PLUGIN
/* Once in a program, whichever sources include this header. */
inline bool register_raja_kernels() {
  static RAJA::util::PluginRegistry::add<RajaKernels> kernels("pomp-clang",
                                                              "Regions with the kernels' names.");
  return true;
}

namespace {
const bool registers_raja_kernels = register_raja_kernels();
}
#endif

} // namespace pomp

#ifdef POMP_RAJA_PLUGIN
extern "C" RAJA::util::PluginStrategy *RAJAGetPlugin() { return new pomp::RajaKernels; }
#endif

#endif
