/* What RAJA declares for plug-ins, as far as pomp_raja.hpp and the program beside need it. */
#ifndef RAJA_PluginStrategy_HPP
#define RAJA_PluginStrategy_HPP

#include <memory>
#include <string>
#include <vector>

namespace RAJA {
namespace util {

struct PluginContext {
  std::string kernel_name;
};

class PluginStrategy {
public:
  virtual ~PluginStrategy() = default;
  virtual void preLaunch(const PluginContext &) {}
  virtual void postLaunch(const PluginContext &) {}
};

struct PluginRegistry {
  static std::vector<std::shared_ptr<PluginStrategy>> &all() {
    static std::vector<std::shared_ptr<PluginStrategy>> plugins;
    return plugins;
  }

  template <typename Plugin> struct add {
    add(const std::string &, const std::string &) { all().push_back(std::make_shared<Plugin>()); }
  };
};

} // namespace util
} // namespace RAJA

#endif
