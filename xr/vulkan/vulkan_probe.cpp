// Lists the devices of the Vulkan loader, which is opened at run time, so the program starts without one.
#include "xr/vulkan/vulkan_probe.h"

#include <fmt/format.h>

#include <string_view>

#include "xr/isolated_process.h"
#include "xr/text_fields.h"
#include "xr/vulkan/vulkan.h"

namespace tenon::xr {
namespace {

using namespace std::chrono_literals;
constexpr auto kTimeout = 10s;  ///< a driver that has not answered by then is reported as broken

const char* const kInstallDriver = "install mesa-vulkan-drivers, or the driver of your graphics card";

std::string versionText(std::uint32_t version) {
  return fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version),
                     VK_API_VERSION_PATCH(version));
}

std::string typeText(vk::PhysicalDeviceType type) {
  switch (type) {
    case vk::PhysicalDeviceType::eDiscreteGpu:
      return "discrete GPU";
    case vk::PhysicalDeviceType::eIntegratedGpu:
      return "integrated GPU";
    case vk::PhysicalDeviceType::eVirtualGpu:
      return "virtual GPU";
    case vk::PhysicalDeviceType::eCpu:
      return "CPU";
    default:
      return "other";
  }
}

using Dispatch = vk::DispatchLoaderDynamic;

VulkanDevice describe(const vk::PhysicalDevice& device, const Dispatch& dispatch) {
  const vk::PhysicalDeviceProperties properties = device.getProperties(dispatch);
  VulkanDevice result;
  result.name = std::string(std::string_view(properties.deviceName));
  result.type = typeText(properties.deviceType);
  result.apiVersion = versionText(properties.apiVersion);
  result.driver = fmt::format("version {}", properties.driverVersion);
  if (properties.apiVersion >= VK_API_VERSION_1_2 && dispatch.vkGetPhysicalDeviceProperties2 != nullptr) {
    const auto chain =
        device.getProperties2<vk::PhysicalDeviceProperties2, vk::PhysicalDeviceDriverProperties>(dispatch);
    const auto& driver = chain.get<vk::PhysicalDeviceDriverProperties>();
    result.driver =
        fmt::format("{} {}", std::string_view(driver.driverName), std::string_view(driver.driverInfo));
  }
  return result;
}

void listDevices(const vk::DynamicLoader& library, VulkanProbe& probe) {
  Dispatch dispatch(library.getProcAddress<PFN_vkGetInstanceProcAddr>("vkGetInstanceProcAddr"));
  const vk::ApplicationInfo application{
      .pApplicationName = "tenon", .applicationVersion = 1, .apiVersion = VK_API_VERSION_1_3};
  const auto instance =
      vk::createInstanceUnique(vk::InstanceCreateInfo{.pApplicationInfo = &application}, nullptr, dispatch);
  dispatch.init(*instance);
  for (const vk::PhysicalDevice& device : instance->enumeratePhysicalDevices(dispatch)) {
    probe.devices.push_back(describe(device, dispatch));
  }
  if (probe.devices.empty()) probe.problem = fmt::format("no Vulkan device; {}", kInstallDriver);
}

VulkanProbe probeHere() {
  VulkanProbe probe;
  try {
    const vk::DynamicLoader library;
    probe.loader = true;
    listDevices(library, probe);
  } catch (const vk::SystemError& error) {
    probe.devices.clear();
    probe.problem = fmt::format("no usable Vulkan driver ({}); {}", error.what(), kInstallDriver);
  } catch (const std::runtime_error&) {  // thrown by DynamicLoader
    probe.problem = "no Vulkan loader (libvulkan.so.1); install libvulkan1";
  }
  return probe;
}

std::string toText(const VulkanProbe& probe) {
  FieldWriter writer;
  writer.addBool(probe.loader);
  writer.add(probe.problem);
  for (const VulkanDevice& device : probe.devices) {
    for (const std::string* field : {&device.name, &device.type, &device.driver, &device.apiVersion}) {
      writer.add(*field);
    }
  }
  return writer.text();
}

VulkanProbe fromText(const std::string& text) {
  FieldReader reader(text);
  VulkanProbe probe;
  probe.loader = reader.nextBool();
  probe.problem = reader.next();
  while (!reader.atEnd()) {
    VulkanDevice device;
    for (std::string* field : {&device.name, &device.type, &device.driver, &device.apiVersion}) {
      *field = reader.next();
    }
    probe.devices.push_back(device);
  }
  return probe;
}

}  // namespace

VulkanProbe probeVulkan() {
  const IsolatedResult result = runIsolated([] { return toText(probeHere()); }, kTimeout);
  if (result.end == IsolatedResult::End::finished) return fromText(result.output);
  VulkanProbe probe;
  const bool timedOut = result.end == IsolatedResult::End::timedOut;
  probe.problem = fmt::format("the Vulkan driver {}; reinstall it, or choose another with VK_ICD_FILENAMES",
                              timedOut ? "did not answer" : "crashed while listing its devices");
  return probe;
}

}  // namespace tenon::xr
