/* Kernels, which plug-ins see begin and end. */
#ifndef RAJA_forall_HPP
#define RAJA_forall_HPP

#include "RAJA/util/PluginStrategy.hpp"

namespace RAJA {

template <typename Body> void forall(int count, const std::string &name, Body body) {
  util::PluginContext launch{name};
  for (auto &plugin : util::PluginRegistry::all())
    plugin->preLaunch(launch);
#pragma omp parallel for
  for (int i = 0; i < count; i++)
    body(i);
  for (auto &plugin : util::PluginRegistry::all())
    plugin->postLaunch(launch);
}

template <typename Body> void once(const std::string &name, Body body) {
  util::PluginContext launch{name};
  for (auto &plugin : util::PluginRegistry::all())
    plugin->preLaunch(launch);
  body();
  for (auto &plugin : util::PluginRegistry::all())
    plugin->postLaunch(launch);
}

} // namespace RAJA

#endif
