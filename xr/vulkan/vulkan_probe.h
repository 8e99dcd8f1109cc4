// What Vulkan offers on this machine, asked without needing any of it: for `tenon doctor`.
#pragma once

#include <string>
#include <vector>

namespace tenon::xr {

struct VulkanDevice {
  std::string name;        ///< as the driver calls it
  std::string type;        ///< "discrete GPU", "integrated GPU", "virtual GPU", "CPU" or "other"
  std::string driver;      ///< name and version
  std::string apiVersion;  ///< highest Vulkan version it speaks, "1.3.230"
};

struct VulkanProbe {
  bool loader = false;                ///< libvulkan.so.1 is there
  std::vector<VulkanDevice> devices;  ///< in the loader's order
  std::string problem;                ///< why there is no device, and what to do; empty where there is one
};

/// Lists the Vulkan devices, in a process apart: a broken driver becomes a `problem`. Takes at most
/// ten seconds. Never throws.
VulkanProbe probeVulkan();

}  // namespace tenon::xr
