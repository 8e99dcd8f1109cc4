// Lists this machine's Vulkan devices for `tenon doctor`; works without Vulkan installed.
#pragma once

#include <string>
#include <vector>

namespace tenon::xr {

struct VulkanDevice {
  std::string name;        ///< reported by the driver
  std::string type;        ///< "discrete GPU", "integrated GPU", "virtual GPU", "CPU" or "other"
  std::string driver;      ///< name and version
  std::string apiVersion;  ///< highest supported Vulkan version, "1.3.230"
};

struct VulkanProbe {
  bool loader = false;                ///< libvulkan.so.1 is installed
  std::vector<VulkanDevice> devices;  ///< in the loader's order
  std::string problem;                ///< why there is no device, and the remedy; empty where there is one
};

/// Lists the devices in an isolated process: a broken driver becomes a `problem`. Takes at most ten seconds.
/// Never throws.
VulkanProbe probeVulkan();

}  // namespace tenon::xr
